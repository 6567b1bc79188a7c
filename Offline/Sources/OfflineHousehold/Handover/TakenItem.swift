// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// The item of an address that this machine has taken, while another one may still get it.
///
/// It is stored, because after a kill the group gives the address to another machine.
struct TakenItem: RawRepresentable, Sendable {
    /// Without a taken item.
    static let none = TakenItem(rawValue: "")

    let rawValue: String

    /// The number of the item; nil without one.
    var id: ItemID? { ItemID(rawValue) }
}

extension TakenItem {
    init(_ id: ItemID) { self.init(rawValue: id.description) }
}

extension PreferenceKey<TakenItem> {
    static var takenItem: PreferenceKey { PreferenceKey("taken_item", default: .none) }
}
