"""Runs a command beside a server that rewrites messages: python3 with_writer.py MODE COMMAND...

URL among the command's words becomes the server's base URL. MODE: `good` puts a word before the message, `drops` writes
something without its values, `invents` adds a number, `prose` answers no JSON, `broken` HTTP 500.
"""

import http.server
import json
import subprocess
import sys
import threading

mode = sys.argv[1]


def answer(prompt):
    message = prompt.partition("The message:\n")[2].partition("\n\nKeep: ")[0]
    text = {"good": "Friend, " + message, "drops": "Do it.", "invents": message + " 99999", "prose": "", "broken": ""}[mode]
    return "I would rather not." if mode == "prose" else json.dumps({"score": 1, "reason": text})


class Server(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        content = answer(request["messages"][-1]["content"])
        body = json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode()
        self.send_response(500 if mode == "broken" else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/v1"
sys.exit(subprocess.run([url if word == "URL" else word for word in sys.argv[2:]]).returncode)
