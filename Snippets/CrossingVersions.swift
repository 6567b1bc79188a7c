// SPDX-License-Identifier: Apache-2.0
// A message whose form has changed, and which still reads the older version.
import Tidings
import TidingsBridge

struct OrderPlaced1: Codable {
    let id: Int
}

struct OrderPlaced: BridgedMessage {
    static let wireName: WireName = "orders.placed"
    static let wireVersion = 2
    static let upcasts = [
        Upcast(from: 1) { (old: OrderPlaced1) in OrderPlaced(id: old.id, region: "eu") }
    ]
    let id: Int
    let region: String
    var orderingKey: String? { region }
}
