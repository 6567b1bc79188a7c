// SPDX-License-Identifier: Apache-2.0
#if NATS
import Foundation
import Testing
import TidingsBridge
import TidingsNATS

/// The refusals of the server, which stop nothing else.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct NATSRefusalTests {
    @Test func b3_aFrameThatIsTooLargeBlocksNoOther() async throws {
        let server = try await NATSServer("max_payload: 65536")
        let connection = try await server.connect()
        let largest = connection.guarantees.largestFrame
        func frame(_ row: Int, bytes: Int) -> PublishedFrame {
            let headers: FrameHeaders = ["Tidings-Type": "a"]
            let body = [UInt8](repeating: 65, count: bytes - "Tidings-Type: a\r\n".utf8.count)
            return PublishedFrame(
                row: row,
                frame: BridgeFrame(subject: "shop.a", headers: headers, body: body)
            )
        }
        try await connection.publish([
            frame(0, bytes: largest), frame(1, bytes: largest + 1), frame(2, bytes: 100),
        ])
        let answers = try await connection.acknowledgements(count: 3).sorted { $0.row < $1.row }
        #expect(answers.map(\.sequence) == [1, nil, 2])
        #expect(answers[1].refusal == .tooLarge)
    }

    @Test func b3_headersThatAreTooLargeBlockNoOther() async throws {
        let server = try await NATSServer()
        let connection = try await server.connect()
        // The block includes `NATS/1.0`, two line breaks, and the line breaks of the header.
        let published = [65_535, 65_536, 100].enumerated().map { row, size in
            let value = String(repeating: "x", count: size - 12 - 5)
            let frame = BridgeFrame(subject: "shop.a", headers: ["A": value])
            return PublishedFrame(row: row, frame: frame)
        }
        try await connection.publish(published)
        let answers = try await connection.acknowledgements(count: 3).sorted { $0.row < $1.row }
        #expect(answers.map(\.refusal) == [nil, .tooLarge, nil])
    }

    @Test(arguments: ["", "shop..a", "shop.*", "shop.>", "shop.a b", "shop.a\r\nPUB b"])
    func b3_aSubjectThatIsNoneIsRefused(subject: String) async throws {
        let server = try await NATSServer()
        let connection = try await server.connect()
        try await connection.publish(frames(0..<1, subject: subject) + frames(1..<2))
        let answers = try await connection.acknowledgements(count: 2).sorted { $0.row < $1.row }
        #expect(answers.map(\.refusal) == [.malformed, nil])
    }

    @Test(arguments: [("a\r\nb", "x"), ("", "x"), ("a:", "x"), ("a", "x\r\nc: d"), ("a", "x\0y")])
    func b3_aHeaderWithALineBreakIsRefused(name: String, value: String) async throws {
        let server = try await NATSServer()
        let connection = try await server.connect()
        var headers: FrameHeaders = [:]
        headers.append(name, value)
        let frame = BridgeFrame(subject: "shop.a", headers: headers)
        try await connection.publish([PublishedFrame(row: 0, frame: frame)])
        #expect(try await connection.acknowledgements(count: 1)[0].refusal == .malformed)
    }

    @Test func b3_aSubjectThatTheServerForbidsIsRefused() async throws {
        let server = try await NATSServer(
            """
            authorization { users = [ { user: "u", password: "p", permissions: {
              publish: { allow: ["shop.open.>", "$JS.API.>", "_INBOX.>"] }, subscribe: ">" } } ] }
            """
        )
        var configuration = NATSConfiguration.patient
        configuration.identity = .user("u", password: NATSSecret { "p" })
        let connection = try await server.connect(configuration)
        try await connection.publish(frames(0..<1, subject: "shop.shut.a"))
        try await connection.publish(frames(1..<2, subject: "shop.open.a"))
        let answers = try await connection.acknowledgements(count: 2).sorted { $0.row < $1.row }
        #expect(answers.map(\.refusal) == [.notPermitted, nil])
    }

    @Test func b13_aFullStoreIsReported() async throws {
        let server = try await NATSServer(jetStream: "max_file_store: 1M")
        let connection = try await server.connect()
        let body = [UInt8](repeating: 7, count: 100_000)
        for row in 0..<20 {
            let frame = BridgeFrame(subject: "shop.a", body: body)
            try await connection.publish([PublishedFrame(row: row, frame: frame)])
        }
        let answers = try await connection.acknowledgements(count: 20)
        let refused = Set(answers.compactMap(\.refusal))
        #expect(refused == [.full])
        #expect(answers.contains { $0.sequence != nil })
    }

    @Test func aRepeatedIDIsStoredOnce() async throws {
        let server = try await NATSServer()
        let connection = try await server.connect()
        let frame = frames(0..<1)[0].frame
        try await connection.publish((0..<2).map { PublishedFrame(row: $0, frame: frame) })
        let answers = try await connection.acknowledgements(count: 2)
        #expect(
            answers.map(\.outcome) == [
                .accepted(sequence: 1, isDuplicate: false),
                .accepted(sequence: 1, isDuplicate: true),
            ]
        )
        #expect(try await connection.stream().last == 1)
    }

    @Test func b11_aStreamThatWasDeletedIsAnotherOne() async throws {
        let server = try await NATSServer()
        let connection = try await server.connect()
        try await connection.publish(frames(0..<3))
        _ = try await connection.acknowledgements(count: 3)
        let before = try await connection.stream()
        let reader = try await connection.read(from: .sequence(2), SubjectFilter("shop.>"))
        _ = try await reader.frames(count: 2, atMost: 5)
        try await connection.send([BridgeFrame(subject: "$JS.API.STREAM.DELETE.shop")])
        let error = await #expect(throws: TransportError.self) {
            _ = try await reader.next(atMost: 5)
        }
        #expect(error?.code == .lost)
        let second = try await server.connect()
        let after = try await second.stream()
        #expect(after.incarnation != before.incarnation)
        #expect((after.first, after.last) == (1, 0))
    }

    @Test func b3_aPublishToADeletedStreamEndsTheConnection() async throws {
        let server = try await NATSServer()
        let connection = try await server.connect()
        try await connection.send([BridgeFrame(subject: "$JS.API.STREAM.DELETE.shop")])
        let error = await failure {
            try await connection.publish(frames(0..<1))
            _ = try await connection.acknowledgements(count: 1)
        }
        #expect(error?.code == .overdue)
        let second = try await server.connect()
        try await second.publish(frames(0..<1))
        #expect(try await second.acknowledgements(count: 1)[0].sequence == 1)
    }

    @Test func b11_aPurgedStreamNamesItsFirstFrame() async throws {
        let server = try await NATSServer()
        let connection = try await server.connect()
        try await connection.publish(frames(0..<5))
        _ = try await connection.acknowledgements(count: 5)
        try await connection.send([BridgeFrame(subject: "$JS.API.STREAM.PURGE.shop")])
        let stream = try await connection.stream()
        #expect((stream.first, stream.last) == (6, 5))
    }

    @Test func aServerWithoutJetStreamIsNamed() async throws {
        let server = try await NATSServer(jetStream: nil)
        let error = await #expect(throws: TransportError.self) { _ = try await server.connect() }
        #expect(error?.code == .noStream)
    }

    @Test(arguments: [
        #"{"name":"shop","subjects":["other.>"]}"#,
        #"{"name":"shop","subjects":["shop.>"],"retention":"workqueue"}"#,
        #"{"name":"shop","subjects":["shop.>"],"no_ack":true}"#,
    ])
    func aStreamOfAnotherKindIsNamed(settings: String) async throws {
        let server = try await NATSServer()
        let other = try await server.connect(space: "other-space")
        let request = BridgeFrame(
            subject: "$JS.API.STREAM.CREATE.shop",
            body: [UInt8](settings.utf8),
            replySubject: "made"
        )
        let made = try await other.subscribe(to: SubjectFilter("made"), group: nil)
        try await other.send([request])
        _ = try await made.next(atMost: 1)
        let error = await #expect(throws: TransportError.self) { _ = try await server.connect() }
        #expect(error?.code == .noStream)
        #expect(error?.message.contains("shop") == true)
    }

    @Test func b16_anAcknowledgementOfOneServerIsThePageCache() async throws {
        let server = try await NATSServer()
        var configuration = NATSConfiguration.patient
        configuration.stream.duplicateWindow = .seconds(60)
        let guarantees = try await server.connect(configuration).guarantees
        #expect(guarantees.acknowledgement == .serverPageCache)
        #expect(guarantees.duplicateWindow == .seconds(60))
    }
}
#endif
