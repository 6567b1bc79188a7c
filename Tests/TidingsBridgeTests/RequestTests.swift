// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsBridge
import TidingsBridgeTesting
import TidingsLock
import TidingsTesting
import TidingsTracing

struct FindLesson: BridgedRequest, Equatable {
    typealias Response = Lesson
    static let wireName: WireName = "lessons.find"
    let id: Int
    var note: String?
}

struct Lesson: Codable, Equatable, Sendable {
    let title: String
}

private struct Closed: Error, CustomStringConvertible {
    var description: String { "The school is closed." }
}

/// A process that answers requests, or only asks.
private final class School: Sendable {
    let center = MessageCenter()
    let bridge: Bridge
    private let folder = TemporaryFolder()

    init(
        _ server: InMemoryServer,
        answers: Bool,
        space: String = "school",
        codec: BridgeCodec = .json,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        var options = BridgeOptions.quick
        options.codec = codec
        bridge = Bridge(
            center: center,
            space: space,
            transport: server.transport(),
            storage: folder.path,
            options: options,
            clock: clock
        ) {
            Crossing(Cleared.self, .transient)
            if answers { Crossing(answering: FindLesson.self) }
        }
    }

    func connected() async throws -> School {
        try await bridge.start()
        for await state in bridge.status.states.values where state.value?.isConnected == true {
            return self
        }
        throw CancellationError()
    }

    func code(of request: FindLesson, timeout: Duration = .seconds(60)) async -> BridgeErrorCode? {
        do {
            _ = try await bridge.request(request, timeout: timeout)
            return nil
        } catch {
            return error.code
        }
    }
}

@Suite(.timeLimit(.minutes(15)))
struct RequestTests {
    private let server = InMemoryServer()

    private func desk() async throws -> School {
        try await School(server, answers: false).connected()
    }

    private func school() async throws -> School {
        try await School(server, answers: true).connected()
    }

    @Test func anotherProcessAnswersWithItsResponder() async throws {
        let (desk, school) = (try await desk(), try await school())
        let token = school.center.respond(to: FindLesson.self) { Lesson(title: "Lesson \($0.id)") }
        let lessons = try await withThrowingTaskGroup { group in
            for id in 1...100 {
                group.addTask {
                    try await desk.bridge.request(FindLesson(id: id), timeout: .seconds(60))
                }
            }
            return try await group.reduce(into: []) { $0.append($1.title) }
        }
        #expect(Set(lessons) == Set((1...100).map { "Lesson \($0)" }))
        withExtendedLifetime(token) {}
    }

    @Test func b15_aRequestThatAsksForAReplyToTheServerOrTheStreamIsIgnored() async throws {
        let school = try await school()
        let asked = Received()
        let token = school.center.respond(to: FindLesson.self) { request in
            asked.add(request.id)
            return Lesson(title: "Lesson")
        }
        let connection = try await server.transport().connect(to: "school", epoch: 1)
        let replies = try await connection.subscribe(to: SubjectFilter("_INBOX.>"), group: nil)
        let wrong = try await connection.subscribe(to: SubjectFilter("*.x.y"), group: nil)
        for (id, reply) in ["$JS.x.y", "school.x.y", "_INBOX.x.y"].enumerated() {
            let frame = BridgeFrame(
                subject: "school+ask.lessons.find",
                body: Array(#"{"id":\#(id)}"#.utf8),
                replySubject: reply
            )
            try await connection.send([frame])
        }
        #expect(try await replies.next(atMost: 1).first?.subject == "_INBOX.x.y")
        try await school.bridge.close(within: .seconds(60))
        #expect(asked.all == [2])
        wrong.close()
        withExtendedLifetime(token) {}
    }

    @Test func withoutAProcessOrAResponderTheRequestFailsAtOnce() async throws {
        // The clock never reaches the time limit.
        let desk = try await School(server, answers: false, clock: ManualClock()).connected()
        #expect(await desk.code(of: FindLesson(id: 1)) == .noResponder)
        let school = try await school()
        #expect(await desk.code(of: FindLesson(id: 1)) == .noResponder)
        withExtendedLifetime(school) {}
    }

    @Test func theErrorOfTheResponderArrivesAsText() async throws {
        let (desk, school) = (try await desk(), try await school())
        let token = school.center.respond(to: FindLesson.self) { _ in throw Closed() }
        let error = await #expect(throws: BridgeError.self) {
            try await desk.bridge.request(FindLesson(id: 1), timeout: .seconds(60))
        }
        #expect(error?.code == .remote && error?.message == "The school is closed.")
        withExtendedLifetime(token) {}
    }

    @Test func aReplyThatTakesTooLongIsTimedOutAndItsResponderCancelled() async throws {
        let (desk, school) = (try await desk(), try await school())
        let cancelled = Gate()
        let token = school.center.respond(to: FindLesson.self) { _ in
            // The wait ends with the cancellation.
            do { try await Gate().wait() } catch { cancelled.open() }
            return Lesson(title: "late")
        }
        let code = await desk.code(of: FindLesson(id: 1), timeout: .milliseconds(50))
        #expect(code == .timedOut)
        try await cancelled.wait()
        withExtendedLifetime(token) {}
    }

    @Test func aLostConnectionEndsTheWait() async throws {
        let (desk, school) = (try await desk(), try await school())
        let (began, gate) = (Gate(), Gate())
        let token = school.center.respond(to: FindLesson.self) { _ in
            began.open()
            try await gate.wait()
            return Lesson(title: "late")
        }
        async let code = desk.code(of: FindLesson(id: 1))
        try await began.wait()
        server.isDown = true
        #expect(await code == .notConnected)
        for await state in desk.bridge.status.states.values where state.value?.isConnected == false
        {
            break
        }
        #expect(await desk.code(of: FindLesson(id: 1)) == .notConnected)
        gate.open()
        server.isDown = false
        for await state in desk.bridge.status.states.values where state.value?.isConnected == true {
            break
        }
        for await state in school.bridge.status.states.values where state.value?.isConnected == true
        {
            break
        }
        #expect(await desk.code(of: FindLesson(id: 1)) == nil)
        withExtendedLifetime(token) {}
    }

    @Test func whatIsTooLargeFailsOnBothWays() async throws {
        let (desk, school) = (try await desk(), try await school())
        let token = school.center.respond(to: FindLesson.self) { _ in
            Lesson(title: String(repeating: "x", count: 2 << 20))
        }
        let long = String(repeating: "x", count: 2 << 20)
        #expect(await desk.code(of: FindLesson(id: 1, note: long)) == .tooLarge)
        let error = await #expect(throws: BridgeError.self) {
            try await desk.bridge.request(FindLesson(id: 1), timeout: .seconds(60))
        }
        #expect(error?.code == .tooLarge && error?.message.contains("answer") == true)
        withExtendedLifetime(token) {}
    }

    @Test func b15_whatCannotBeDecodedIsAnError() async throws {
        let (desk, school) = (try await desk(), try await school())
        let token = school.center.respond(to: FindLesson.self) { _ in Lesson(title: "a") }
        let connection = try await server.transport().connect(to: "school", epoch: 1)
        let replies = SubjectFilter("school+reply.x.*")
        let reader = try await connection.subscribe(to: replies, group: nil)
        let frames = [
            BridgeFrame(subject: "school+ask.lessons.find", body: [0xff]),
            BridgeFrame(
                subject: "school+ask.lessons.find",
                headers: ["Tidings-Version": "7", "Tidings-Type": "lessons.find"]
            ),
            BridgeFrame(subject: "school+ask.lessons.find", headers: ["Tidings-Hops": "x"]),
            BridgeFrame(
                subject: "school+ask.lessons.find",
                headers: ["Tidings-Timeout": "inf"],
                body: Array("{}".utf8)
            ),
        ]
        let endless = BridgeFrame(
            subject: "school+ask.lessons.find",
            headers: ["Tidings-Timeout": "1e300"],
            body: Array(#"{"id":1}"#.utf8),
            replySubject: "school+reply.x.endless"
        )
        try await connection.send([endless])
        #expect(try await reader.next(atMost: 1).first?.headers[.status] == nil)
        for (number, var frame) in frames.enumerated() {
            frame.replySubject = "school+reply.x.\(number)"
            try await connection.send([frame])
            let reply = try await reader.next(atMost: 1).first
            #expect(reply?.headers[.status] == "failed" && reply?.body.isEmpty == false)
        }
        // This program answers wrongly and without this package.
        try await school.bridge.close(within: .seconds(60))
        let asked = try await connection.subscribe(
            to: SubjectFilter("school+ask.lessons.find"),
            group: nil
        )
        async let code = desk.code(of: FindLesson(id: 1))
        let ask = try #require(try await asked.next(atMost: 1).first)
        try await connection.send([BridgeFrame(subject: try #require(ask.replySubject), body: [1])])
        #expect(await code == .codec)
        withExtendedLifetime(token) {}
    }

    @Test func b9_aProcessNeverAnswersItself() async throws {
        let (first, second) = (try await school(), try await school())
        let tokens = [first, second].enumerated().map { number, school in
            school.center.respond(to: FindLesson.self) { _ in Lesson(title: "\(number)") }
        }
        for _ in 1...20 {
            let lesson = try await first.bridge.request(FindLesson(id: 1), timeout: .seconds(60))
            #expect(lesson.title == "1")
        }
        try await second.bridge.close(within: .seconds(60))
        #expect(await first.code(of: FindLesson(id: 1)) == .noResponder)
        withExtendedLifetime(tokens) {}
    }

    @Test func b20_aTraceShowsTheOriginOfARequest() async throws {
        let (desk, school) = (try await desk(), try await school())
        let origin = Lock("")
        let token = school.center.respond(to: FindLesson.self) { _ in
            origin.withLock { $0 = BridgeEnvelope.current?.origin ?? "" }
            return Lesson(title: "a")
        }
        let trace = school.center.trace()
        var records = trace.makeAsyncIterator()
        _ = try await desk.bridge.request(FindLesson(id: 1), timeout: .seconds(60))
        let record = await records.next()
        let found = origin.withLock { $0 }
        #expect(!found.isEmpty && record?.subject == "from \(found)")
        withExtendedLifetime(token) {}
    }

    @Test func aCancelledRequestAndAClosedBridgeEndTheWait() async throws {
        let (desk, school) = (try await desk(), try await school())
        let began = Gate()
        let token = school.center.respond(to: FindLesson.self) { _ in
            began.open()
            try await Gate().wait()
            return Lesson(title: "never")
        }
        let task = Task { await desk.code(of: FindLesson(id: 1)) }
        try await began.wait()
        task.cancel()
        #expect(await task.value == .closed)
        try await desk.bridge.close(within: .seconds(60))
        #expect(await desk.code(of: FindLesson(id: 1)) == .closed)
        withExtendedLifetime(token) {}
    }

    @Test func b12_aTransientHandlerThatBlocksDoesNotDelayTheNextConnection() async {
        // A separate process runs this part, because the handler blocks a thread of the tasks.
        await #expect(processExitsWith: .success) {
            let server = InMemoryServer()
            let desk = try await School(server, answers: false).connected()
            let school = try await School(server, answers: true).connected()
            let (began, gate) = (Gate(), DispatchGate())
            let token = school.center.messages(of: Cleared.self).observe { _ in
                began.open()
                gate.wait()
            }
            desk.center.post(Cleared(number: 1))
            try await began.wait()
            let epoch = try #require(school.bridge.status.lastData?.epoch)
            server.endConnections()
            for await state in school.bridge.status.states.values {
                if let status = state.value, status.epoch > epoch, status.isConnected { break }
            }
            gate.open()
            withExtendedLifetime(token) {}
        }
    }
}
