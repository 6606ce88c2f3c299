"""What of torch is listened to while training runs, and the recorder that receives it."""
