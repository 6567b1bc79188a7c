// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTesting
import TidingsTracing

private struct PriceOf: Request {
    typealias Response = Int
    var article = "Blue"
}

private struct NoPrice: Error {}

private actor Shop {
    private var asked: [String] = []

    func price(of article: String) -> Int {
        asked.append(article)
        return article.count
    }
}

@Suite(.timeLimit(.minutes(15)))
struct RequestTests {
    private let center = MessageCenter()
    private let clock = ManualClock()
    private let log = Log<String>()
    private let bag = ObservationBag()

    private func respond(_ price: Int, priority: ObservationPriority = .normal) {
        center.respond(to: PriceOf.self, priority: priority) { [log] request in
            log("\(price) for \(request.article)")
            return price
        }.store(in: bag)
    }

    /// Returns the code of the error that `body` throws.
    private func code(_ body: () async throws -> Int) async -> TidingsError.Code? {
        let error = await #expect(throws: TidingsError.self) { _ = try await body() }
        return error?.code
    }

    // MARK: Responders

    @Test func theResponderAnswers() async throws {
        respond(4)
        #expect(try await center.request(PriceOf()) == 4)
        #expect(log.all == ["4 for Blue"])
    }

    @Test func theFirstInOrderAnswersAlone() async throws {
        respond(1)
        respond(2, priority: .high)
        respond(3, priority: .high)
        #expect(try await center.request(PriceOf()) == 2)
        #expect(log.all == ["2 for Blue"])
    }

    @Test func aBlockedResponderLeavesTheRequestToTheNext() async throws {
        let token = center.respond(to: PriceOf.self, priority: .high) { _ in 1 }
        respond(2)
        token.block()
        #expect(try await center.request(PriceOf()) == 2)
        token.resume()
        #expect(try await center.request(PriceOf()) == 1)
    }

    // MARK: Where

    @MainActor @Test func itMayAnswerOnTheMainActor() async throws {
        center.respond(to: PriceOf.self) { @MainActor _ in
            MainActor.assertIsolated()
            return 5
        }.store(in: bag)
        #expect(try await center.request(PriceOf()) == 5)
    }

    @Test func itMayAnswerOnAnActor() async throws {
        let shop = Shop()
        center.respond(to: PriceOf.self) { await shop.price(of: $0.article) }.store(in: bag)
        #expect(try await center.request(PriceOf(article: "Green")) == 5)
    }

    // MARK: No answer

    @Test func withoutAResponderItFailsAtOnce() async {
        center.observe(PriceOf.self) { [log] _ in log("observed") }.store(in: bag)
        let error = await #expect(throws: TidingsError.self) {
            try await center.request(PriceOf(), timeout: .seconds(5), clock: clock)
        }
        #expect(error?.code == .noObservers)
        #expect(error?.message.contains("respond(to: PriceOf.self)") == true)
        #expect(log.all == ["observed"])
    }

    @Test func theErrorOfTheResponderReachesTheRequesterAlone() async {
        center.addErrorHook { [log] _ in log("hook") }.store(in: bag)
        center.respond(to: PriceOf.self) { _ in throw NoPrice() }.store(in: bag)
        await #expect(throws: NoPrice.self) { try await center.request(PriceOf()) }
        #expect(log.all == [])
    }

    @Test func itEndsWhenTheTimeIsOverAndSoDoesTheResponder() async throws {
        let (goOn, cancelled) = (Gate(), Gate())
        center.respond(to: PriceOf.self) { _ in
            do { try await goOn.wait() } catch { cancelled.open() }
            return 1
        }.store(in: bag)
        let task = Task { [center, clock] in
            try await center.request(PriceOf(), timeout: .seconds(5), clock: clock)
        }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        #expect(await code { try await task.value } == .timedOut)
        try await cancelled.wait()
    }

    @Test func itEndsWithItsTaskAndSoDoesTheResponder() async throws {
        let (begun, cancelled, goOn) = (Gate(), Gate(), Gate())
        center.respond(to: PriceOf.self) { _ in
            begun.open()
            do { try await goOn.wait() } catch { cancelled.open() }
            return 1
        }.store(in: bag)
        let task = Task { [center] in try await center.request(PriceOf()) }
        try await begun.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await cancelled.wait()
    }

    @Test func itIsToldIfTheResponderEndsBeforeItHasAnswered() async throws {
        let (begun, goOn) = (Gate(), Gate())
        let token = center.respond(to: PriceOf.self) { _ in
            begun.open()
            try await goOn.wait()
            return 1
        }
        let task = Task { [center] in try await center.request(PriceOf()) }
        try await begun.wait()
        token.cancel()
        #expect(await code { try await task.value } == .finished)
        #expect(await code { try await center.request(PriceOf()) } == .noObservers)
    }

    // MARK: A request is a message

    @Test func thoseWhoObserveItsTypeSeeItFirst() async throws {
        center.observe(PriceOf.self) { [log] in log("observed \($0.article)") }.store(in: bag)
        respond(4)
        #expect(try await center.request(PriceOf()) == 4)
        #expect(log.all == ["observed Blue", "4 for Blue"])
    }

    @Test func aRequestThatIsAnsweredIsNotUnhandled() async throws {
        center.addUnhandledHook { [log] in log("unhandled \($0.name)") }.store(in: bag)
        let outcomes = Log<PostOutcome>()
        let watch = center.watch(delivered: { outcomes($0.outcome) })
        _ = try? await center.request(PriceOf())
        respond(4)
        #expect(try await center.request(PriceOf()) == 4)
        #expect(log.all == ["unhandled PriceOf", "4 for Blue"])
        #expect(outcomes.all == [.unhandled, .delivered])
        watch.cancel()
    }

    @Test func interceptorsMayChangeAndDropIt() async throws {
        respond(4)
        let change = center.messages(of: PriceOf.self).intercept { _ in
            .replace(PriceOf(article: "Red"))
        }
        #expect(try await center.request(PriceOf()) == 4)
        #expect(log.all == ["4 for Red"])
        change.cancel()
        center.allMessages.intercept { _ in .drop }.store(in: bag)
        let error = await #expect(throws: TidingsError.self) {
            try await center.request(PriceOf())
        }
        #expect(error?.code == .noObservers)
        #expect(error?.message.contains("interceptor") == true)
    }

    @Test func aResponderIsListedAsSuch() {
        respond(4)
        let kinds = center.observations().map(\.observation.kind.description)
        #expect(kinds == ["responder"])
        #expect(center.observations().map(\.observation.message) == ["PriceOf"])
    }

    // MARK: The end

    @Test func afterTheCentersEndNobodyAnswers() async {
        respond(4)
        center.finish()
        #expect(await code { try await center.request(PriceOf()) } == .finished)
        respond(5)
        #expect(await code { try await center.request(PriceOf()) } == .finished)
        #expect(log.all == [])
    }

    @Test func anAnswerInProgressOutlivesTheCenter() async throws {
        let (begun, goOn) = (Gate(), Gate())
        center.respond(to: PriceOf.self) { _ in
            begun.open()
            try await goOn.wait()
            return 1
        }.store(in: bag)
        async let price = center.request(PriceOf())
        try await begun.wait()
        center.finish()
        goOn.open()
        #expect(try await price == 1)
    }

    @Test func whatAResponderCapturedIsReleasedWithIt() async throws {
        let released = Gate()
        let token: ObservationToken
        do {
            let canary = Canary { released.open() }
            token = center.respond(to: PriceOf.self) { _ in
                canary.stay()
                return 1
            }
        }
        #expect(try await center.request(PriceOf()) == 1)
        token.cancel()
        try await released.wait()
    }

    /// An answer, the end of the responder and a cancellation meet, with one outcome.
    @Test func whatEndsARequestEndsItOnce() async throws {
        for _ in 0..<200 {
            let center = MessageCenter()
            let (begun, goOn) = (Gate(), Gate())
            let token = center.respond(to: PriceOf.self) { _ in
                begun.open()
                try? await goOn.wait()
                return 1
            }
            let task = Task { try await center.request(PriceOf()) }
            try await begun.wait()
            await withTaskGroup { group in
                group.addTask { goOn.open() }
                group.addTask { token.cancel() }
                group.addTask { task.cancel() }
            }
            switch await task.result {
            case .success(let price): #expect(price == 1)
            case .failure(let error as TidingsError): #expect(error.code == .finished)
            case .failure(let error): #expect(error is CancellationError)
            }
        }
    }
}
