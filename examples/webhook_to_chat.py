"""News of one's games in a chat: `SECRET=whsec_… CHAT=https://… python webhook_to_chat.py 9001`.

On the page /account/channels (docs/channels.md), add a webhook for a program whose https address leads here: the page
shows its SECRET. CHAT is the address of an incoming webhook of a chat that takes {"text": …}, as Mattermost does.
"""

import base64
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen

known = set()  # the news that went on: a server that is killed amid a sending sends again


class Webhook(BaseHTTPRequestHandler):
    timeout = 5

    def do_POST(self):
        body = self.rfile.read(min(int(self.headers["Content-Length"] or 0), 100_000))
        number, moment = self.headers["webhook-id"] or "", self.headers["webhook-timestamp"] or "0"
        signed = f"{number}.{moment}.".encode() + body
        right = base64.b64encode(hmac.digest(os.environ["SECRET"].encode(), signed, "sha256")).decode()
        told = self.headers["webhook-signature"] or ""
        if not hmac.compare_digest(told.encode(), f"v1,{right}".encode()) or abs(time.time() - int(moment)) > 300:
            return self.answer(401)
        if number not in known:
            data = json.loads(body)["data"]
            say(" ".join(filter(None, (data["title"], data["text"], data["url"]))))
            known.add(number)  # where the chat does not take it there is no answer, and it comes again
        return self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


def say(text):
    body = json.dumps({"text": text}).encode()
    urlopen(Request(os.environ["CHAT"], body, {"Content-Type": "application/json"}), timeout=4).close()


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Webhook).serve_forever()
