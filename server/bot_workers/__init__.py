"""What takes time: bots and analyses, asked in processes of their own, outside every lock, by jobs.

What is asked, and what becomes of an answer, is decided in `server/service/play/bot_turns.py` and
`server/service/archive/analyses.py`.
"""
