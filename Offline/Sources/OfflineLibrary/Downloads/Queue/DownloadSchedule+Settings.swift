// SPDX-License-Identifier: Apache-2.0

extension DownloadSchedule {
    /// Applies settings; `surplus` then returns the running items that exceed them.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - isOpen: Whether it is one of the hours in which to download.
    mutating func apply(_ settings: DownloadSettings, isOpen: Bool) {
        places.change(to: settings.downloads.number.map { $0...$0 } ?? PlaceCount.automatic)
        perHost = settings.perHost.number
        self.isOpen = isOpen
    }

    /// Returns the running items to stop, because they exceed the settings; of several, the items
    /// that started last.
    ///
    /// - Parameter samples: The samples of the running items.
    /// - Returns: The items to stop, those that started first before the others.
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
