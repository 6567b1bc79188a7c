// SPDX-License-Identifier: Apache-2.0
// Handlers on a dispatch queue, the newest state for a slow handler, and the wait for all handlers.
import Dispatch
import Tidings
import TidingsFoundation

struct PhotoTaken: Message {
    let name: String
}

@Sendable func scale(_ name: String) { print("scaled \(name)") }
@Sendable func draw(_ state: LoadState<Int>) async { print("drawn: \(state)") }

let center = MessageCenter()
let temperature = StatePublisher<Int>()

let queue = DispatchQueue(label: "photos")
let scaling = center.messages(of: PhotoTaken.self).buffering(.newest(100)).observe(on: queue) {
    scale($0.name)
}

let drawing = temperature.states.buffering(.newest(1)).observe { state in await draw(state) }

for degrees in 1...1_000 { temperature.updateData(degrees) }
center.post(PhotoTaken(name: "beach"))

do {
    try await center.finishAndWait(within: .seconds(5))
} catch let error as TidingsError where error.code == .timedOut {
    print(error.message)
}
withExtendedLifetime((scaling, drawing)) {}
