// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsBridge

/// An order of a guest.
///
/// The orders of a table are cooked in sequence.
struct OrderPlaced: BridgedMessage {
    static let wireName: WireName = "orders.placed"
    let table: String
    let number: Int
    let dish: String
    var orderingKey: String? { table }
}

/// A dish can be served.
struct DishReady: BridgedMessage {
    static let wireName: WireName = "dishes.ready"
    let table: String
    let number: Int
    var orderingKey: String? { table }
}

/// A ring of a guest's bell, which is not stored because no process needs the ring later.
struct BellRung: BridgedMessage {
    static let wireName: WireName = "bells.rung"
    let table: String
}

/// The guests of a table have left, and either the kitchen or the screen has the table cleared.
struct TableLeft: BridgedMessage {
    static let wireName: WireName = "tables.left"
    let table: String
}
