"""Bots that need time: asked in processes of their own, outside every lock, by a job that plays their turns.

What is asked and what becomes of an answer is decided in `server/service/play/bot_turns.py`.
"""
