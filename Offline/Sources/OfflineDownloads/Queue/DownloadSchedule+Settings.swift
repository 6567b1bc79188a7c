// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineStore

extension DownloadSchedule {
    /// Applies settings.
    ///
    /// Afterwards, `surplus` returns the running items that exceed the settings.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - isOpen: Whether the current time is within the download hours.
    mutating func apply(_ settings: DownloadSettings, isOpen: Bool) {
        places.change(to: settings.downloads.number.map { $0...$0 } ?? PlaceCount.automatic)
        perHost = settings.perHost.number
        self.isOpen = isOpen
    }

    /// Returns the running items to stop, because they exceed the settings.
    ///
    /// The items that started last stop first.
    ///
    /// - Parameter samples: The samples of the running items.
    /// - Returns: The items to stop, in the order in which the items started.
    func surplus(_ samples: [ItemID: Sample]) -> [ItemID] {
        var hosts: [String: Int] = [:]
        var count = 0
        var surplus: [ItemID] = []
        let isKept = { (id: ItemID) in samples[id]?.isStoppable == false }
        // The items that cannot be stopped count first.
        let ordered = running.sorted { first, second in
            let kept = (isKept(first.key), isKept(second.key))
            return kept.0 == kept.1 ? first.value.start < second.value.start : kept.0
        }
        for (id, item) in ordered {
            let isWithin =
                isOpen && (!places.isFixed || count < places.count)
                && hosts[item.host, default: 0] < perHost ?? .max
            if isKept(id) || isWithin {
                count += 1
                hosts[item.host, default: 0] += 1
            } else {
                surplus.append(id)
            }
        }
        return surplus
    }
}
