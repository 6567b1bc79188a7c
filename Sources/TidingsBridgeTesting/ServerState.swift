// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsBridge

/// The memory of a server.
struct ServerState {
    let guarantees: TransportGuarantees
    var isDown = false
    var withholdsAcknowledgements = false
    var ignoresFrames = false
    var refusal: (@Sendable (BridgeFrame) -> TransportError?)?
    var streams: [String: ServerStream] = [:]
    var groups: [GroupKey: ServerGroup] = [:]
    var connections: [Int: ServerConnection] = [:]
    var lastConnection = 0
    /// The number of the next subscription of a group to receive a frame.
    var turn = 0

    init(guarantees: TransportGuarantees) {
        self.guarantees = guarantees
    }

    /// Stores or refuses a frame and returns the answer, or nil if the server does not answer.
    mutating func store(
        _ frame: BridgeFrame,
        in space: String
    ) -> PublishAcknowledgement.Outcome? {
        if ignoresFrames { return nil }
        if let error = refusal?(frame) { return .refused(error) }
        if frame.body.count > guarantees.largestFrame {
            return .refused(
                TransportError(.tooLarge, "The frame has \(frame.body.count) bytes. Send less.")
            )
        }
        let outcome = streams[space, default: ServerStream(name: space)].store(frame)
        return withholdsAcknowledgements ? nil : outcome
    }
}

/// A connection, held weakly so that a dropped connection ends.
struct ServerConnection {
    let space: String
    weak var connection: InMemoryConnection?
}

/// One stream.
struct ServerStream {
    let name: String
    private(set) var incarnation = UUID().uuidString
    private(set) var frames: [StoredFrame] = []
    private(set) var last: UInt64 = 0
    var ids: [String: UInt64] = [:]

    init(name: String) {
        self.name = name
    }

    var facts: StreamState {
        StreamState(
            name: name,
            incarnation: incarnation,
            first: frames.first?.sequence ?? last + 1,
            last: last
        )
    }

    mutating func store(_ frame: BridgeFrame) -> PublishAcknowledgement.Outcome {
        if let id = frame.headers.id, let sequence = ids[id] {
            return .accepted(sequence: sequence, isDuplicate: true)
        }
        if let after = frame.headers[.after],
            after != "\(frames.last { $0.frame.subject == frame.subject }?.sequence ?? 0)"
        {
            return .refused(TransportError(.superseded, "The stream has a newer frame."))
        }
        last += 1
        if let id = frame.headers.id { ids[id] = last }
        frames.append(StoredFrame(sequence: last, time: Date(), frame: frame))
        return .accepted(sequence: last, isDuplicate: false)
    }

    mutating func remake() {
        self = ServerStream(name: name)
    }

    mutating func removeFrames(before sequence: UInt64) {
        frames.removeAll { $0.sequence < sequence }
    }

    mutating func goBack(to sequence: UInt64) {
        frames.removeAll { $0.sequence > sequence }
        last = min(last, sequence)
        ids = ids.filter { $0.value <= sequence }
    }

    /// Returns the index of the first frame with this sequence or a larger one.
    func index(of sequence: UInt64) -> Int {
        var (low, high) = (0, frames.count)
        while low < high {
            let middle = (low + high) / 2
            if frames[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the sequence from which a reader starts.
    func sequence(of start: StreamStart) -> UInt64 {
        switch start {
        case .beginning: 0
        case .sequence(let sequence): min(sequence, last + 1)
        case .time(let time): frames.first { $0.time >= time }?.sequence ?? last + 1
        case .now: last + 1
        }
    }

    /// Returns matching frames from a sequence on, and the sequence after the last examined frame.
    func frames(
        from sequence: UInt64,
        _ filter: SubjectFilter,
        atMost limit: Int
    ) -> (frames: [StoredFrame], next: UInt64) {
        var found: [StoredFrame] = []
        var next = sequence
        for frame in frames[index(of: sequence)...] where found.count < limit {
            next = frame.sequence + 1
            if filter.matches(frame.frame.subject) { found.append(frame) }
        }
        return (found, next)
    }
}

/// The key of a group of one space.
struct GroupKey: Hashable {
    let space: String
    let group: String
}

/// The position of a group and its frames in work.
struct ServerGroup {
    struct Work {
        let frame: StoredFrame
        let connection: Int
        var attempt: Int
        var deadline: Duration
    }

    let filter: SubjectFilter
    let limit: Duration
    var next: UInt64
    var work: [String: Work] = [:]
    /// The frames to deliver again, with the earliest time of each delivery.
    var returned: [(frame: StoredFrame, attempt: Int, from: Duration)] = []
    private var lastTicket = 0

    init(filter: SubjectFilter, limit: Duration, next: UInt64) {
        self.filter = filter
        self.limit = limit
        self.next = next
    }

    /// Returns the work of connections that are gone or too slow to the group.
    mutating func collect(at now: Duration, living: (Int) -> Bool) {
        for (ticket, entry) in work where entry.deadline <= now || !living(entry.connection) {
            work[ticket] = nil
            returned.append((entry.frame, entry.attempt + 1, now))
        }
        returned.sort { $0.frame.sequence < $1.frame.sequence }
    }

    mutating func take(
        _ stream: ServerStream,
        for connection: Int,
        atMost limit: Int,
        at now: Duration
    ) -> [SharedFrame] {
        var taken: [(StoredFrame, Int)] = []
        while taken.count < limit, let index = returned.firstIndex(where: { $0.from <= now }) {
            let entry = returned.remove(at: index)
            taken.append((entry.frame, entry.attempt))
        }
        let fresh = stream.frames(from: next, filter, atMost: limit - taken.count)
        if taken.count < limit { next = max(next, fresh.next) }
        taken += fresh.frames.map { ($0, 1) }
        return taken.map { frame, attempt in
            lastTicket += 1
            let ticket = "\(lastTicket)"
            work[ticket] = Work(
                frame: frame,
                connection: connection,
                attempt: attempt,
                deadline: now + self.limit
            )
            return SharedFrame(ticket: .init(ticket), attempt: attempt, stored: frame)
        }
    }

    /// When a returned or overdue frame can be delivered next.
    var nextTime: Duration? {
        (work.values.map(\.deadline) + returned.map(\.from)).min()
    }
}
