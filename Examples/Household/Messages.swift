// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsBridge

/// A guest has ordered; the orders of a table are cooked in their order.
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

/// A guest rings the bell: not stored, because nobody needs it later.
struct BellRung: BridgedMessage {
    static let wireName: WireName = "bells.rung"
    let table: String
}

/// The guests of a table have left, and either the kitchen or the screen has it cleared.
struct TableLeft: BridgedMessage {
    static let wireName: WireName = "tables.left"
    let table: String
}
