// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsLock
import TidingsTesting

@testable import Tidings

/// A message that opens a gate when the last copy is gone.
private struct Parcel: NamedMessage {
    static let name = "Parcel"
    let number: Int
    let canary: Canary

    var object: (any Sendable)? { self }

    init(_ number: Int, _ gone: Gate) {
        self.number = number
        canary = Canary { gone.open() }
    }

    init?(object: (any Sendable)?) {
        guard let parcel = object as? Parcel else { return nil }
        self = parcel
    }
}

/// The only place that keeps a subject.
private final class Home: Sendable {
    private let subject = Lock<Canary?>(Canary())

    func withSubject(_ body: (Canary) -> Void) {
        subject.withLock { $0 }.map(body)
    }

    func release() {
        let subject = subject.withLock { $0.take() }
        withExtendedLifetime(subject) {}
    }
}

/// The one actor of these tests.
private actor Desk {}

/// The fate of a message that waits for a handler when the message's subject dies.
@MainActor
@Suite(.timeLimit(.minutes(15)))
struct SubjectDeathTests {
    enum Form: CaseIterable {
        case main, ownedMain, wildcardMain, namedMain
        case task, ownedTask, taskOnMain, ownedTaskOnMain, actor
    }

    private let center = MessageCenter()
    private let home = Home()
    private let log = Log<Int>()
    private let begun = Gate()
    private let gate = Gate()
    private let owner = Owner()
    private let desk = Desk()
    private let bag = ObservationBag()

    private func observe(_ form: Form, about subject: SubjectCondition, once: Bool = false) {
        let call: @Sendable (Int) -> Void = { [log, begun] number in
            log(number)
            begun.open()
        }
        let slowCall: @Sendable (Int) async throws -> Void = { [gate] number in
            call(number)
            try await gate.wait()
        }
        let type = Parcel.self
        let token =
            switch form {
            case .main:
                center.messages(of: type).once(if: once).taking(subject).observe(on: .main) {
                    call($0.number)
                }
            case .ownedMain:
                center.messages(of: type).once(if: once).taking(subject).observe(
                    owner: owner,
                    on: .main
                ) {
                    call($1.number)
                }
            case .wildcardMain:
                center.allMessages.once(if: once).taking(subject).observe(on: .main) {
                    call(($0 as? Parcel)?.number ?? -1)
                }
            case .namedMain:
                center.messages(named: Parcel.name).once(if: once).taking(subject).observe(
                    on: .main
                ) {
                    call(($0.object as? Parcel)?.number ?? -1)
                }
            case .task:
                center.messages(of: type).once(if: once).taking(subject).observe {
                    try await slowCall($0.number)
                }
            case .ownedTask:
                center.messages(of: type).once(if: once).taking(subject).observe(owner: owner) {
                    try await slowCall($1.number)
                }
            case .taskOnMain:
                center.messages(of: type).once(if: once).taking(subject).observe {
                    @MainActor message in
                    try await slowCall(message.number)
                }
            case .ownedTaskOnMain:
                center.messages(of: type).once(if: once).taking(subject).observe(owner: owner) {
                    @MainActor _, message in
                    try await slowCall(message.number)
                }
            case .actor:
                center.messages(of: type).once(if: once).taking(subject).observe(on: desk) {
                    try await slowCall($1.number)
                }
            }
        token.store(in: bag)
    }

    /// Posts from a thread other than the main actor's while the main actor is busy.
    private func postElsewhere(_ number: Int, _ gone: Gate = Gate()) {
        let isDone = finishesOnAnotherThread { [center, home] in
            home.withSubject { #expect(center.post(Parcel(number, gone), about: $0) == 1) }
        }
        #expect(isDone)
    }

    /// Lets a message wait for a handler, ends the subject, and waits until the message is gone.
    ///
    /// - Parameter isSwept: Whether another observation of the type ends during the wait.
    /// - Throws: `CancellationError` when the test takes too long.
    private func outliveSubject(isSwept: Bool) async throws {
        let other = center.messages(of: Parcel.self).about(any: Owner.self).observe { _ in }
        postElsewhere(0)
        try await begun.wait()
        let gone = Gate()
        postElsewhere(1, gone)
        home.release()
        if isSwept { other.cancel() }
        gate.open()
        try await gone.wait()
        other.cancel()
    }

    private func observe(_ form: Form) {
        home.withSubject { observe(form, about: .object(WeakSubject($0))) }
    }

    @Test(arguments: Form.allCases, [false, true])
    func m10_whatWaitsIsNotDeliveredAfterItsSubjectsDeath(form: Form, isSwept: Bool) async throws {
        observe(form)
        try await outliveSubject(isSwept: isSwept)
        #expect(log.all == [0])
    }

    @Test(arguments: Form.allCases, [false, true])
    func m10_aFilterForATypeHasMatchedWhenItWasAsked(form: Form, isSwept: Bool) async throws {
        observe(form, about: .matching { $0 is Canary })
        try await outliveSubject(isSwept: isSwept)
        #expect(log.all == [0, 1])
    }

    // A task could pass the check of the subject before this test ends the subject, but the main
    // actor is busy until then.
    @Test(arguments: [false, true])
    func m10_norIsTheOnlyMessageThatAHandlerWants(isSwept: Bool) async throws {
        home.withSubject { observe(.main, about: .object(WeakSubject($0)), once: true) }
        let gone = Gate()
        postElsewhere(1, gone)
        home.release()
        if isSwept { center.observe(Parcel.self) { _ in }.cancel() }
        try await gone.wait()
        #expect(log.all.isEmpty)
    }

    @Test(arguments: [false, true])
    func m10_aSequenceHasReceivedWhatItHolds(isSwept: Bool) async {
        var messages: ObservationSequence<Ping>?
        home.withSubject { album in
            messages = center.messages(of: Ping.self).about(album).values
            for number in 1...2 { center.post(Ping(number: number), about: album) }
        }
        home.release()
        if isSwept { center.post(Ping(number: 3)) }
        var iterator = messages?.makeAsyncIterator()
        #expect(await iterator?.next() == Ping(number: 1))
        #expect(await iterator?.next() == Ping(number: 2))
        center.post(Ping(number: 4))
        #expect(await iterator?.next() == nil)
    }
}
