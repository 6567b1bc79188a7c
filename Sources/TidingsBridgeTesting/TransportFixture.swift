// SPDX-License-Identifier: Apache-2.0
import TidingsBridge
import TidingsTesting

/// One attempt with a transport and a space.
struct TransportFixture: Sendable {
    let attempt: BridgeTransportContract.Attempt
    let transport: any BridgeTransport
    let space = "contract-" + String(UInt64.random(in: .min ... .max), radix: 36)

    init(_ attempt: BridgeTransportContract.Attempt, _ transport: any BridgeTransport) {
        self.attempt = attempt
        self.transport = transport
    }

    func connect() async throws -> any BridgeConnection {
        try await transport.connect(to: space, epoch: 1)
    }

    func expect(_ isKept: Bool, _ fault: @autoclosure () -> String) throws {
        guard !isKept else { return }
        throw TidingsTestingError(.brokenPromise, "\(attempt): \(fault())")
    }

    func frame(
        _ number: Int,
        _ type: String = "a",
        body: [UInt8]? = nil,
        after sequence: UInt64? = nil
    ) -> PublishedFrame {
        var headers: FrameHeaders = ["Tidings-Id": "\(space)-\(number)"]
        headers[.after] = sequence.map { "\($0)" }
        return PublishedFrame(
            row: number,
            frame: BridgeFrame(
                subject: "\(space).\(type)._",
                headers: headers,
                body: body ?? Array("\(number)".utf8)
            )
        )
    }

    var all: SubjectFilter { SubjectFilter("\(space).>") }

    /// Publishes frames and returns their acknowledgements by row.
    @discardableResult
    func publish(
        _ frames: [PublishedFrame],
        over connection: any BridgeConnection
    ) async throws -> [Int: PublishAcknowledgement.Outcome] {
        try await connection.publish(frames)
        var outcomes: [Int: PublishAcknowledgement.Outcome] = [:]
        while outcomes.count < frames.count {
            let arrived = try await connection.acknowledgements(atMost: 100)
            try expect(!arrived.isEmpty, "acknowledgements(atMost:) returned nothing.")
            for acknowledgement in arrived {
                try expect(
                    outcomes[acknowledgement.row] == nil,
                    "Row \(acknowledgement.row) was acknowledged twice."
                )
                outcomes[acknowledgement.row] = acknowledgement.outcome
            }
        }
        return outcomes
    }

    /// Reads a number of frames.
    func read(_ count: Int, by reader: any FrameReader<StoredFrame>) async throws -> [StoredFrame] {
        var found: [StoredFrame] = []
        while found.count < count {
            let batch = try await reader.next(atMost: 64)
            try expect((1...64).contains(batch.count), "A read returned \(batch.count) frames.")
            found += batch
        }
        return found
    }

    func numbers(_ frames: [StoredFrame]) -> [Int] {
        frames.compactMap { Int(String(decoding: $0.frame.body, as: UTF8.self)) }
    }
}

extension TransportFixture {
    func publishedFramesAreReadInOrder() async throws {
        let connection = try await connect()
        defer { connection.close() }
        let outcomes = try await publish((1...500).map { frame($0) }, over: connection)
        let sequences = (1...500).compactMap { row -> UInt64? in
            if case .accepted(let sequence, false)? = outcomes[row] { sequence } else { nil }
        }
        try expect(sequences.count == 500, "Only \(sequences.count) of 500 rows were accepted.")
        try expect(
            zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 },
            "The sequences do not grow with the rows."
        )
        let reader = try await connection.read(from: .beginning, all)
        let frames = try await read(500, by: reader)
        try expect(numbers(frames) == Array(1...500), "The frames were read in another order.")
        try expect(frames.map(\.sequence) == sequences, "The sequences differ from those accepted.")
    }

    func framesArriveUnchanged() async throws {
        let connection = try await connect()
        defer { connection.close() }
        let bodies: [[UInt8]] = [[], Array(0...255), Array("\r\n\r\nMSG 1\r\n".utf8)]
        let sent = bodies.enumerated().map { index, body in
            var frame = frame(index + 1, body: body).frame
            frame.headers.append("Tidings-Key", "%20%25")
            frame.headers.append("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad-01")
            return PublishedFrame(row: index + 1, frame: frame)
        }
        try await publish(sent, over: connection)
        let frames = try await read(3, by: connection.read(from: .beginning, all)).map(\.frame)
        for (frame, sent) in zip(frames, sent.map(\.frame)) {
            try expect(frame.subject == sent.subject, "A subject became \(frame.subject).")
            try expect(frame.body == sent.body, "A body changed.")
            for field in sent.headers.fields {
                let value = frame.headers.value(of: field.name)
                try expect(value == field.value, "\(field.name) became \(value ?? "nothing").")
            }
        }
    }

    func repeatsAreStoredOnce() async throws {
        let (first, second) = (try await connect(), try await connect())
        defer {
            first.close()
            second.close()
        }
        try await publish([frame(1), frame(2)], over: first)
        let again = try await publish([frame(1), frame(2), frame(3)], over: second)
        for row in 1...3 {
            guard case .accepted(_, row < 3)? = again[row] else {
                return try expect(false, "Row \(row) was answered with \(again[row] as Any).")
            }
        }
        let frames = try await read(3, by: first.read(from: .beginning, all))
        try expect(numbers(frames) == [1, 2, 3], "The stream has \(numbers(frames)).")
    }

    func aSupersededFrameIsRefused() async throws {
        let connection = try await connect()
        defer { connection.close() }
        let outcomes = try await publish(
            [frame(1, after: 0), frame(2, after: 0), frame(3)],
            over: connection
        )
        guard case .accepted(let sequence, _)? = outcomes[1] else {
            return try expect(false, "The first was answered with \(outcomes[1] as Any).")
        }
        guard case .refused(let error)? = outcomes[2], error.code == .superseded else {
            return try expect(false, "The second was answered with \(outcomes[2] as Any).")
        }
        let later = try await publish(
            [frame(4, after: sequence), frame(5, after: sequence + 1)],
            over: connection
        )
        guard case .refused? = later[4], case .accepted? = later[5] else {
            return try expect(false, "The later ones were answered with \(later).")
        }
        let frames = try await read(3, by: connection.read(from: .beginning, all))
        try expect(numbers(frames) == [1, 3, 5], "The stream has \(numbers(frames)).")
    }

    func aFrameThatIsTooLargeIsRefused() async throws {
        let connection = try await connect()
        defer { connection.close() }
        let body = [UInt8](repeating: 0x78, count: connection.guarantees.largestFrame + 1)
        let outcomes = try await publish([frame(1, body: body), frame(2)], over: connection)
        guard case .refused(let error)? = outcomes[1], error.code == .tooLarge else {
            return try expect(false, "It was answered with \(outcomes[1] as Any).")
        }
        let frames = try await read(1, by: connection.read(from: .beginning, all))
        try expect(numbers(frames) == [2], "The frame behind it was not stored.")
    }

    func readersReturnTheirSubjectsOnly() async throws {
        let connection = try await connect()
        defer { connection.close() }
        let frames = (1...40).map { frame($0, $0 % 2 == 0 ? "even" : "odd.a") }
        try await publish(frames, over: connection)
        for (pattern, first) in [("even.*", 2), ("odd.a.*", 1)] {
            let filter = SubjectFilter("\(space).\(pattern)")
            let found = try await read(20, by: connection.read(from: .beginning, filter))
            let expected = Array(stride(from: first, through: 40, by: 2))
            try expect(numbers(found) == expected, "\(pattern) returned \(numbers(found)).")
        }
    }

    func readersBeginWhereTheySay() async throws {
        let connection = try await connect()
        defer { connection.close() }
        let outcomes = try await publish([frame(1), frame(2), frame(3)], over: connection)
        guard case .accepted(let second, _)? = outcomes[2] else {
            return try expect(false, "Row 2 was not accepted.")
        }
        let now = try await connection.read(from: .now, all)
        let last = try await connection.stream().last
        let beyond = try await connection.read(from: .sequence(last + 1), all)
        let middle = try await connection.read(from: .sequence(second), all)
        try await publish([frame(4)], over: connection)
        for (name, reader, expected) in [
            ("now", now, [4]), ("the next sequence", beyond, [4]),
            ("a sequence", middle, [2, 3, 4]),
        ] {
            let found = numbers(try await read(expected.count, by: reader))
            try expect(found == expected, "A reader from \(name) returned \(found).")
        }
    }

    func oldAndNewFramesJoin() async throws {
        let (writer, connection) = (try await connect(), try await connect())
        defer {
            writer.close()
            connection.close()
        }
        try await publish((1...100).map { frame($0) }, over: writer)
        let reader = try await connection.read(from: .beginning, all)
        async let written: Void = {
            for start in stride(from: 101, to: 600, by: 50) {
                try await publish((start..<(start + 50)).map { frame($0) }, over: writer)
            }
        }()
        let found = numbers(try await read(600, by: reader))
        try await written
        try expect(found == Array(1...600), "Frames were lost, repeated or reordered.")
    }

    func theStreamDescribesItself() async throws {
        let connection = try await connect()
        defer { connection.close() }
        let empty = try await connection.stream()
        try expect(empty.first == empty.last + 1, "An empty stream has \(empty).")
        try await publish([frame(1), frame(2, "b"), frame(3)], over: connection)
        let stream = try await connection.stream()
        try expect(stream.last >= stream.first + 2, "A stream of three frames has \(stream).")
        try expect(stream.incarnation == empty.incarnation, "Its incarnation has changed.")
        let last = try await connection.frame(at: stream.last)
        try expect(last?.frame.body == Array("3".utf8), "Its last frame is \(last as Any).")
        let none = try await connection.frame(at: stream.last + 1)
        try expect(none == nil, "It has a frame after its last one.")
        let newest = try await connection.newestFrame(of: "\(space).b._")
        try expect(newest?.frame.body == Array("2".utf8), "The newest is \(newest as Any).")
        let missing = try await connection.newestFrame(of: "\(space).c._")
        try expect(missing == nil, "It has a frame of a subject without any.")
    }
}
