// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import Foundation
internal import TidingsBridge

/// The settings of a consumer, in the server's terms.
struct ConsumerSettings: Codable, Equatable {
    var name: String?
    var durableName: String?
    var deliverPolicy: String
    var optStartSeq: UInt64?
    var optStartTime: String?
    var ackPolicy: String
    var ackWait: Int64?
    var maxDeliver: Int?
    var filterSubject: String?
    var replayPolicy = "instant"
    var inactiveThreshold: Int64?
    var memStorage: Bool?
    var numReplicas: Int?

    /// Creates a consumer that only this connection uses and that stores no acknowledgement.
    init(reading filter: SubjectFilter, from start: StreamStart, name: String) {
        self.name = name
        (deliverPolicy, optStartSeq, optStartTime) = Self.policy(of: start)
        ackPolicy = "none"
        filterSubject = filter.pattern
        inactiveThreshold = Duration.seconds(30).nanoseconds
        memStorage = true
        numReplicas = 1
    }

    /// Creates a consumer that the server keeps, for all members of a group.
    init(_ group: SharedGroup) {
        name = group.name
        durableName = group.name
        (deliverPolicy, optStartSeq, optStartTime) = Self.policy(of: group.start)
        ackPolicy = "explicit"
        ackWait = group.workLimit.nanoseconds
        maxDeliver = -1
        filterSubject = group.filter.pattern
    }

    private static func policy(of start: StreamStart) -> (String, UInt64?, String?) {
        switch start {
        case .beginning, .sequence(0): ("all", nil, nil)
        case .sequence(let sequence): ("by_start_sequence", sequence, nil)
        case .time(let time): ("by_start_time", nil, ServerTime.text(of: time))
        case .now: ("new", nil, nil)
        }
    }

    /// Returns the names of the settings that the server has ignored or changed.
    ///
    /// A server without support for a filter ignores the filter and would deliver everything.
    func differences(from answer: ConsumerSettings) -> [String] {
        var names: [String] = []
        if deliverPolicy != answer.deliverPolicy { names.append("deliver_policy") }
        if optStartSeq != answer.optStartSeq { names.append("opt_start_seq") }
        if ackPolicy != answer.ackPolicy { names.append("ack_policy") }
        if let ackWait, ackWait != answer.ackWait { names.append("ack_wait") }
        if filterSubject != answer.filterSubject { names.append("filter_subject") }
        return names
    }
}

/// A consumer in the server's description.
struct ConsumerDescription: Decodable {
    struct Position: Decodable {
        let streamSeq: UInt64
    }

    let name: String
    let config: ConsumerSettings
    let delivered: Position
}

/// A request for frames.
struct PullRequest: Encodable {
    var batch: Int
    var expires: Int64
    var idleHeartbeat: Int64
    var maxBytes: Int?
}

/// The server's times in RFC 3339 format with up to nine digits of a second.
///
/// Times are rounded down to microseconds, because a `Date` holds no more. A reader that starts at
/// the time of a frame must not miss that frame.
enum ServerTime {
    static func text(of time: Date) -> String {
        let microseconds = Int64(
            min(4e15, max(0, time.timeIntervalSince1970) * 1e6).rounded(.down)
        )
        let base = Date(timeIntervalSince1970: Double(microseconds / 1_000_000)).formatted(
            .iso8601.year().month().day().time(includingFractionalSeconds: false)
        )
        let fraction = String(microseconds % 1_000_000)
        let zeros = String(repeating: "0", count: 6 - fraction.count)
        return "\(base).\(zeros)\(fraction)Z"
    }

    static func date(nanoseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(nanoseconds / 1_000) / 1e6)
    }

    /// Reads `2026-01-02T03:04:05.678901234Z`, with or without a fraction.
    static func date(_ text: String) -> Date? {
        let whole = text.prefix { $0 != "." && $0 != "Z" }
        let digits = text.dropFirst(whole.count + 1).prefix { $0.isNumber }.prefix(6)
        guard let base = try? Date("\(whole)Z", strategy: .iso8601) else { return nil }
        let scale = [1, 0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6][digits.count]
        return base.addingTimeInterval((Double(digits) ?? 0) * scale)
    }
}
#endif
