# SPDX-License-Identifier: Apache-2.0
"""A client of another project that reads and writes a space.

    nats_client.py ADDRESS SPACE COUNT

Reads COUNT stored messages, prints each message as a line of JSON, and publishes an answer to each.
"""

import asyncio
import json
import sys

import nats
from nats.js.api import ConsumerConfig, DeliverPolicy


async def main() -> None:
    address, space, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    client = await nats.connect(address)
    stream = client.jetstream()
    subscription = await stream.subscribe(
        f"{space}.orders.>", ordered_consumer=True, config=ConsumerConfig(deliver_policy=DeliverPolicy.ALL)
    )
    for number in range(count):
        message = await subscription.next_msg(timeout=60)
        headers = {name: value for name, value in (message.headers or {}).items()}
        print(json.dumps({"subject": message.subject, "headers": headers, "body": message.data.decode()}))
        answer = {"Tidings-Id": f"python-{number}", "Tidings-Type": "answers", "Nats-Msg-Id": f"python-{number}"}
        await stream.publish(f"{space}.answers.eu", message.data, headers=answer)
    await client.close()


asyncio.run(main())
