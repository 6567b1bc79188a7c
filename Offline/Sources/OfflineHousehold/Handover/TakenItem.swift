// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineStore

/// The item of an address that this machine has taken, while another machine may still get the
/// address.
///
/// The item is stored, because after a kill the group gives the address to another machine.
struct TakenItem: RawRepresentable, Sendable {
    /// The value without a taken item.
    static let none = TakenItem(rawValue: "")

    let rawValue: String

    /// The number of the item, or nil without an item.
    var id: ItemID? { ItemID(rawValue) }
}

extension TakenItem {
    init(_ id: ItemID) { self.init(rawValue: id.description) }
}

extension PreferenceKey<TakenItem> {
    static var takenItem: PreferenceKey { PreferenceKey("taken_item", default: .none) }
}
