"""Runs a command beside a judge's server: python3 with_server.py good|broken|ANSWER COMMAND...

URL among the command's words becomes the server's base URL. `good` answers every question with the score 1, `broken`
with HTTP 500; else every answer is the JSON given.
"""

import http.server
import json
import subprocess
import sys
import threading


answer = sys.argv[1] if sys.argv[1].startswith("{") else json.dumps({"score": 1, "reason": "as it should be"})


class Server(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = json.dumps({"choices": [{"message": {"role": "assistant", "content": answer}}]}).encode()
        self.send_response(500 if sys.argv[1] == "broken" else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/v1"
sys.exit(subprocess.run([url if word == "URL" else word for word in sys.argv[2:]], check=False).returncode)
