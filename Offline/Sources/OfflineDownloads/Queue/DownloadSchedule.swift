// SPDX-License-Identifier: Apache-2.0
import OfflineModel

/// Decides which queued items run.
///
/// A schedule is a value without tasks, so that tests need no queue. Items start in their order,
/// with these exceptions:
///
/// - A stalled download gives up the place, so that slow servers do not block fast servers.
/// - A server never gets more downloads than there are places.
/// - A server without a download immediately gets one of some further places, before measurements
///   show whether the other downloads stall.
///
/// The schedule never exceeds a number that the user has fixed. Recordings of live streams ignore
/// the download hours.
struct DownloadSchedule: Sendable {
    /// A queued item.
    struct Candidate: Hashable, Sendable {
        let id: ItemID
        /// The server of the item, or an empty string if the item has no server.
        let host: String
        /// Whether the item records a live stream, which cannot wait.
        var isLive = false
        /// The position in the order of the queue.
        var position: Int64 = 0
    }

    /// The measured state of a running item.
    struct Sample: Hashable, Sendable {
        let receivedBytes: Int64
        /// Whether the download waits for its next attempt.
        let isRetrying: Bool
        /// Whether the rate of the download shows a stall.
        ///
        /// The rate shows nothing while the download joins or checks the file, or if the speed
        /// limit leaves too little.
        let isTransferring: Bool
        /// Whether the queue may stop the download for a setting and continue the download later.
        ///
        /// This excludes downloads that join or check their files, and recordings, because a
        /// stopped recording would lose segments.
        var isStoppable = false
    }

    /// The maximum number of items that run at the same time, including stalled items.
    static let maximumRunning = 32
    /// The number of further places for servers without a download.
    static let placesForOtherHosts = 3

    var places: PlaceCount
    /// Whether no item starts, because the disk is full.
    var isDiskFull = false
    /// Whether the current time is within the download hours.
    var isOpen = true
    /// The maximum number of downloads from one server, or nil for the number of places.
    var perHost: Int?
    /// Whether an item waits for a place.
    private(set) var hasWaiting = false
    private(set) var running: [ItemID: Running] = [:]
    /// The number of callers that change an item.
    private var holds: [ItemID: Int] = [:]
    /// The items whose last outcome the registry could not record.
    private(set) var unrecorded: Set<ItemID> = []
    /// The items that wait for the network.
    private(set) var offline: Set<ItemID> = []
    /// The items that gave up a place and start after the other items.
    var displaced: Set<ItemID> = []

    /// The number of starts, which orders the running items.
    private var starts = 0

    /// A running item.
    struct Running: Hashable {
        let host: String
        let start: Int
        var meter = StallMeter()
        var receivedBytes: Int64?
    }

    /// Creates a schedule without items.
    init(_ places: PlaceCount = PlaceCount()) {
        self.places = places
    }

    /// The running items, in the order of their identifiers.
    var runningItems: [ItemID] { running.keys.sorted { $0.rawValue < $1.rawValue } }

    /// Whether a caller changes the item.
    func isHeld(_ id: ItemID) -> Bool { holds[id] != nil }

    /// Prevents the start of an item until the same number of calls of `release`.
    mutating func hold(_ id: ItemID) {
        holds[id, default: 0] += 1
        offline.remove(id)
        displaced.remove(id)
    }

    /// Ends a hold.
    mutating func release(_ id: ItemID) {
        let count = holds[id, default: 0]
        holds[id] = count > 1 ? count - 1 : nil
    }

    /// Prevents the start of an item until its state is recorded.
    mutating func markUnrecorded(_ id: ItemID) { unrecorded.insert(id) }

    /// Records that the registry has the state of an item.
    mutating func markRecorded(_ id: ItemID) { unrecorded.remove(id) }

    /// Prevents the start of an item until the network is back or a request admits it.
    mutating func waitForNetwork(_ id: ItemID) { offline.insert(id) }

    /// Ends the wait of an item for the network.
    mutating func admit(_ id: ItemID) { offline.remove(id) }

    /// Ends the wait of all items for the network.
    mutating func endNetworkWait() { offline = [] }

    func isHindered(_ id: ItemID) -> Bool {
        isHeld(id) || unrecorded.contains(id) || offline.contains(id)
    }

    /// Whether all places are in use, so that no item can start.
    var isFull: Bool {
        running.count >= Self.maximumRunning || occupied >= places.count + placesForOtherHosts
    }

    /// The number of places in use.
    ///
    /// With a fixed number of places, stalled downloads keep their places.
    private var occupied: Int {
        places.isFixed ? running.count : running.values.count { !$0.meter.isStalled }
    }

    private var placesForOtherHosts: Int { places.isFixed ? 0 : Self.placesForOtherHosts }

    /// Whether a server may have another download.
    func hasPlace(for host: String) -> Bool {
        running.values.count { $0.host == host } < min(places.count, perHost ?? .max)
    }

    /// Assumes that an item waits for a place, so that the queue measures stalls.
    mutating func assumeWaiting() { hasWaiting = true }

    /// Drops the samples before the first measurement after a break.
    mutating func beginMeasuring() {
        for id in running.keys {
            running[id]?.receivedBytes = nil
            running[id]?.meter.reset()
        }
    }

    /// Chooses the items to start now.
    ///
    /// The chosen items count as running until `end`.
    ///
    /// - Parameter candidates: The queued items in their order, including running items.
    /// - Returns: The chosen items in their order.
    mutating func start(from candidates: some Sequence<Candidate>) -> [ItemID] {
        hasWaiting = false
        guard !isDiskFull else { return [] }
        let started = place(candidates.filter { !displaced.contains($0.id) })
        return started + place(candidates.filter { displaced.contains($0.id) })
    }

    private mutating func place(_ candidates: [Candidate]) -> [ItemID] {
        var started: [ItemID] = []
        var hosts = running.values.reduce(into: [:]) { $0[$1.host, default: 0] += 1 }
        var occupied = occupied
        for candidate in candidates where running[candidate.id] == nil {
            if isHindered(candidate.id) || !(isOpen || candidate.isLive) { continue }
            let ofHost = hosts[candidate.host, default: 0]
            let limit = places.count + (ofHost == 0 ? placesForOtherHosts : 0)
            guard running.count < Self.maximumRunning, occupied < limit,
                ofHost < min(places.count, perHost ?? .max)
            else {
                hasWaiting = true
                continue
            }
            starts += 1
            running[candidate.id] = Running(host: candidate.host, start: starts)
            displaced.remove(candidate.id)
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
    ///
    /// - Parameter samples: The samples of the running items.
    /// - Returns: Whether another item may now start.
    mutating func measure(_ samples: [ItemID: Sample]) -> Bool {
        let before = (places.count, running.values.count { $0.meter.isStalled })
        var rate: Int64 = 0
        for (id, sample) in samples {
            guard var item = running[id] else { continue }
            if let earlier = item.receivedBytes { rate += max(0, sample.receivedBytes - earlier) }
            item.receivedBytes = sample.receivedBytes
            if sample.isTransferring {
                item.meter.measure(sample.receivedBytes, isRetrying: sample.isRetrying)
            } else {
                // A download that waits for its next attempt stalls at any speed.
                item.meter.reset(isRetrying: sample.isRetrying)
            }
            running[id] = item
        }
        let occupied = running.values.count { !$0.meter.isStalled }
        places.measure(Double(rate), isFull: hasWaiting && occupied >= places.count)
        return before != (places.count, running.values.count { $0.meter.isStalled })
    }
}
