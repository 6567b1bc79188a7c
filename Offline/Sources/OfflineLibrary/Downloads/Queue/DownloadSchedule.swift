// SPDX-License-Identifier: Apache-2.0

/// The decision which of the queued items run.
///
/// A value without tasks, for tests alone. Items start in their order with these exceptions: a
/// stalled download gives up its place, so that slow servers do not block fast ones; a server never
/// gets more downloads than there are places; and a server without a download gets one of some
/// further places at once, before it is known whether the others stall.
struct DownloadSchedule: Sendable {
    /// A queued item.
    struct Candidate: Hashable, Sendable {
        let id: ItemID
        /// The server of the item; empty if it has none.
        let host: String
    }

    /// The measured state of a running item.
    struct Sample: Hashable, Sendable {
        let receivedBytes: Int64
        /// Whether the download waits for its next attempt.
        let isRetrying: Bool
        /// Whether the download receives bytes; it may instead join or check them.
        let isTransferring: Bool
    }

    /// A reason not to start an item although it is queued.
    enum Hindrance: Hashable, Sendable {
        /// A caller changes the item.
        case held
        /// The registry could not record the outcome of the item's last run.
        case unrecorded
        /// The network is down.
        case offline
    }

    /// The maximum number of items that run at once, including stalled ones.
    static let maximumRunning = 32
    /// The number of further places for servers without a download.
    static let placesForOtherHosts = 3

    private(set) var places: PlaceCount
    /// Whether no item starts, because the disk is full.
    var isDiskFull = false
    /// Whether an item waits for a place.
    private(set) var hasWaiting = false
    private var running: [ItemID: Running] = [:]
    private var hindrances: [ItemID: Hindrance] = [:]

    private struct Running: Hashable {
        let host: String
        var meter = StallMeter()
        var receivedBytes: Int64?
    }

    /// Creates a schedule without items.
    init(_ places: PlaceCount = PlaceCount()) {
        self.places = places
    }

    /// The running items, in the order of their identifiers.
    var runningItems: [ItemID] { running.keys.sorted { $0.rawValue < $1.rawValue } }

    /// Whether the item runs.
    func isRunning(_ id: ItemID) -> Bool { running[id] != nil }

    /// Returns the items that are not started for a reason, in the order of their identifiers.
    func items(_ hindrance: Hindrance) -> [ItemID] {
        hindrances.filter { $0.value == hindrance }.keys.sorted { $0.rawValue < $1.rawValue }
    }

    /// Returns the reason not to start an item; nil if there is none.
    func hindrance(of id: ItemID) -> Hindrance? { hindrances[id] }

    /// Sets or clears the reason not to start an item.
    mutating func hinder(_ id: ItemID, _ hindrance: Hindrance?) {
        hindrances[id] = hindrance
    }

    /// Clears a reason for all items.
    mutating func clear(_ hindrance: Hindrance) {
        hindrances = hindrances.filter { $0.value != hindrance }
    }

    /// Chooses the items to start now, which count as running until `end`.
    ///
    /// - Parameter candidates: The queued items in their order, also those that run.
    /// - Returns: The chosen items in their order.
    mutating func start(from candidates: some Sequence<Candidate>) -> [ItemID] {
        hasWaiting = false
        guard !isDiskFull else { return [] }
        var started: [ItemID] = []
        var hosts = running.values.reduce(into: [:]) { $0[$1.host, default: 0] += 1 }
        var occupied = running.values.count { !$0.meter.isStalled }
        for candidate in candidates where running[candidate.id] == nil {
            if hindrances[candidate.id] != nil { continue }
            let ofHost = hosts[candidate.host, default: 0]
            let limit = places.count + (ofHost == 0 ? Self.placesForOtherHosts : 0)
            guard running.count < Self.maximumRunning, occupied < limit, ofHost < places.count
            else {
                hasWaiting = true
                continue
            }
            running[candidate.id] = Running(host: candidate.host)
            hosts[candidate.host] = ofHost + 1
            occupied += 1
            started.append(candidate.id)
        }
        return started
    }

    /// Records the end of an item's run.
    mutating func end(_ id: ItemID) {
        running[id] = nil
    }

    /// Records the samples of the running items after one more second, and adapts the places.
    mutating func measure(_ samples: [ItemID: Sample]) {
        var rate: Int64 = 0
        for (id, sample) in samples {
            guard var item = running[id] else { continue }
            if let earlier = item.receivedBytes { rate += max(0, sample.receivedBytes - earlier) }
            item.receivedBytes = sample.receivedBytes
            if sample.isTransferring {
                item.meter.measure(sample.receivedBytes, isRetrying: sample.isRetrying)
            } else {
                item.meter.reset()
            }
            running[id] = item
        }
        let occupied = running.values.count { !$0.meter.isStalled }
        places.measure(Double(rate), isFull: hasWaiting && occupied >= places.count)
    }
}
