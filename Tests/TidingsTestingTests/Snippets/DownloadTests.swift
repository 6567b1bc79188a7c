// SPDX-License-Identifier: Apache-2.0
// The code of the article "Testing code that posts".
import Testing
import Tidings
import TidingsTesting

struct Started: Message {}
struct Finished: Message {}

struct Progress: Message {
    let percent: Int
}

struct Failed: Message {
    let reason: String
}

struct Typed: Message {
    let text: String
}

struct Searched: Message {
    let text: String
}

struct Download {
    let center: MessageCenter
    let fetch: @Sendable (Int) async throws -> Void

    func run(parts: Int) async {
        center.post(Started())
        do {
            for part in 1...parts {
                try await fetch(part)
                center.post(Progress(percent: part * 100 / parts))
            }
            center.post(Finished())
        } catch {
            center.post(Failed(reason: "\(error)"))
        }
    }
}

@MainActor final class Title {
    private(set) var text = ""

    init(_ center: MessageCenter) {
        center.observe(Progress.self, owner: self, on: .main) { title, progress in
            title.text = "\(progress.percent) %"
        }
    }
}

actor Shelf {
    private(set) var films = 0

    func add() async { films += 1 }
}

struct Unreachable: Error {}

@Suite(.timeLimit(.minutes(5)))
struct DownloadTests {
    private let center = MessageCenter()

    @Test func reportsItsProgress() async throws {
        let recorder = MessageRecorder(Progress.self, on: center)
        let download = Task { await Download(center: center) { _ in }.run(parts: 4) }
        #expect(try await recorder.next().percent == 25)
        #expect(try await recorder.next().percent == 50)
        #expect(try await recorder.element(at: 3).percent == 100)
        await download.value
        #expect(recorder.messages.count == 4)
    }

    @Test func passesTheMiddle() async throws {
        let recorder = MessageRecorder(Progress.self, on: center)
        let download = Task { await Download(center: center) { _ in }.run(parts: 3) }
        try await recorder.wait { $0.contains { $0.percent > 50 } }
        await download.value
    }

    @Test func reportsItsStepsInOrder() async throws {
        let log = MessageLog(Started.self, Finished.self, on: center)
        log.record(Progress.self) { "\($0.percent) %" }
        let download = Download(center: center) { log.note("fetch \($0)") }
        await download.run(parts: 2)
        try await log.expect("Started", "fetch 1", "50 %", "fetch 2", "100 %", "Finished")
    }

    @Test func postsNothingAfterAFailure() async throws {
        let log = MessageLog(Started.self, Progress.self, Finished.self, on: center)
        log.record(Failed.self) { "failed: \($0.reason)" }
        let download = Download(center: center) { _ in throw Unreachable() }
        await download.run(parts: 2)
        try await log.expect("Started", "failed: Unreachable()")
        try log.expectNothing()
    }

    @Test func showsItsProgress() async throws {
        let title = await Title(center)
        center.post(Progress(percent: 40))
        try await center.waitForMainActorHandlers()
        #expect(await title.text == "40 %")
    }

    @Test func aFinishedDownloadGoesOnTheShelf() async throws {
        let shelf = Shelf()
        let token = center.messages(of: Finished.self).observe { _ in await shelf.add() }
        let report = await center.postAndWait(Finished())
        #expect(report.failures.isEmpty)
        #expect(await shelf.films == 1)
        token.cancel()
    }

    @Test func isCancelledBetweenTwoParts() async throws {
        let log = MessageLog(Started.self, Progress.self, Failed.self, on: center)
        let (arrived, mayGo) = (Gate(), Gate())
        let download = Task {
            await Download(center: center) { part in
                guard part == 2 else { return }
                arrived.open()
                try await mayGo.wait()
            }.run(parts: 3)
        }
        try await arrived.wait()
        try await log.expect("Started", "Progress")
        download.cancel()
        await download.value
        try await log.expect("Failed")
    }

    @Test func waitsASecondBeforeEachPart() async throws {
        let clock = ManualClock()
        let recorder = MessageRecorder(Progress.self, on: center)
        let download = Task {
            await Download(center: center) { _ in try await clock.sleep(for: .seconds(1)) }
                .run(parts: 2)
        }
        try await clock.waitForSleepers()
        try recorder.expectNothing()
        clock.advance(by: .seconds(1))
        #expect(try await recorder.next().percent == 50)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        await download.value
        #expect(recorder.messages.count == 2)
    }

    @Test func searchesAfterAPause() async throws {
        let clock = ManualClock()
        let recorder = MessageRecorder(Searched.self, on: center)
        let token = center.messages(of: Typed.self).debounced(for: .seconds(1), clock: clock)
            .observe { [center] in center.post(Searched(text: $0.text)) }
        center.post(Typed(text: "f"))
        center.post(Typed(text: "fi"))
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(999))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await recorder.next().text == "fi")
        token.cancel()
    }

    @Test func startsAtOnce() async throws {
        let recorder = MessageRecorder(Started.self, on: center)
        async let download: Void = Download(center: center) { _ in }.run(parts: 1)
        _ = try await within(.seconds(120)) { try await recorder.next() }
        await download
    }
}
