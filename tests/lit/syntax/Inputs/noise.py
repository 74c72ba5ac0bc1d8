"""Prints a megabyte of the language's own words in random order."""
import random

words = """param fn detect reward layer test { } ( ) [ ] = == + - * / , . .. => ?? : a b c 1 2.5 80% "x" when else cap and or
not in is has for if sum count tier none true judge belief on user when scenario from let // /// \n""".split(" ")
random.seed(7)
size = 0
while size < 1_000_000:
    word = random.choice(words)
    size += len(word) + 1
    print(word, end=" " if random.random() < 0.9 else "\n")
