// SPDX-License-Identifier: Apache-2.0
// Messages as a sequence that keeps the newest two for a slow reader.
import Tidings

struct Reading: Message {
    let celsius: Int
}

let center = MessageCenter()
let readings = center.messages(of: Reading.self).buffering(.newest(2)).values
for celsius in 18...21 { center.post(Reading(celsius: celsius)) }
print("lost: \(readings.dropped)")
readings.cancel()
for await reading in readings { print("\(reading.celsius) degrees") }
