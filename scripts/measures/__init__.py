"""What annotated dialogues say of an implementation."""
