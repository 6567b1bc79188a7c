// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsBridge

private let filling = String(repeating: "0123456789", count: 10)

/// A stored message with a body of about 128 bytes.
struct DurableSample: BridgedMessage {
    static let wireName: WireName = "bench.durable"
    var number: Int
    var text = filling
    /// The number of the key, or nil for no order.
    var lane: Int?
    var orderingKey: String? { lane.map { "key-\($0)" } }
}

/// The same message without storage.
struct TransientSample: BridgedMessage {
    static let wireName: WireName = "bench.transient"
    var number: Int
    var text = filling
}
