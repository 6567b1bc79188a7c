// SPDX-License-Identifier: Apache-2.0
import OfflineAPI

/// The machines that have reported recently.
///
/// Times are durations since any fixed moment.
struct MachineList {
    private struct Entry {
        var presence: MachinePresence
        var time: Duration
    }

    /// The interval of the reports.
    static let interval = Duration.seconds(10)
    /// The age of the last report at which a machine counts as gone, after three missed reports.
    static let lifetime = Duration.seconds(35)
    /// The maximum number of machines.
    ///
    /// More machines are ignored, because a stranger could invent any number.
    static let capacity = 64

    private var entries: [String: Entry] = [:]

    /// Stores a report.
    ///
    /// Returns whether the machine is new and must get a report in return.
    mutating func note(_ presence: MachinePresence, of origin: String, at time: Duration) -> Bool {
        removeOld(at: time)
        if presence.isLeaving {
            entries[origin] = nil
            return false
        }
        let isNew = entries[origin] == nil
        guard !isNew || entries.count < Self.capacity else { return false }
        entries[origin] = Entry(presence: presence, time: time)
        return isNew
    }

    /// Removes the machines that are gone, and returns whether any were removed.
    @discardableResult
    mutating func removeOld(at time: Duration) -> Bool {
        let count = entries.count
        entries = entries.filter { time - $0.value.time < Self.lifetime }
        return entries.count < count
    }

    /// Returns the origins of the machines with this name.
    func origins(named name: String) -> [String] {
        entries.filter { $0.value.presence.machine.text == name }.map(\.key).sorted()
    }

    /// The machines, by name and then by origin.
    var machines: [HouseholdOverview.Machine] {
        entries.sorted {
            ($0.value.presence.machine.text, $0.key) < ($1.value.presence.machine.text, $1.key)
        }.map { _, entry in
            let presence = entry.presence
            return HouseholdOverview.Machine(
                name: presence.machine.text,
                page: presence.page,
                freeBytes: presence.freeBytes,
                readyCount: presence.readyCount,
                waitingCount: presence.waitingCount
            )
        }
    }
}
