// SPDX-License-Identifier: Apache-2.0
import OfflineModel

extension DownloadSchedule {
    /// Whether downloads take every place and at least one of the downloads has stalled.
    var isClogged: Bool {
        !places.isFixed && running.count >= Self.maximumRunning
            && running.values.contains { $0.meter.isStalled }
    }

    /// Whether a server has a running download.
    func isRunning(host: String) -> Bool { running.values.contains { $0.host == host } }

    /// Chooses a stalled download that gives up the place and later starts after all other items.
    ///
    /// - Parameters:
    ///   - waiting: Queued items of servers without a download.
    ///   - samples: The samples of the running items.
    /// - Returns: The stalled download that started first, or nil if no download has to stop.
    mutating func displace(
        for waiting: some Sequence<Candidate>,
        _ samples: [ItemID: Sample]
    ) -> ItemID? {
        guard isClogged, !isDiskFull,
            waiting.contains(where: { candidate in
                !isHindered(candidate.id) && !displaced.contains(candidate.id)
                    && (isOpen || candidate.isLive)
            })
        else { return nil }
        let stalled = running.filter { id, item in
            item.meter.isStalled && !displaced.contains(id) && samples[id]?.isStoppable == true
        }
        guard let id = stalled.min(by: { $0.value.start < $1.value.start })?.key else { return nil }
        displaced.insert(id)
        return id
    }
}
