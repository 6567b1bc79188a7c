// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct CancelAndWaitTests {
    private let center = MessageCenter()
    private let log = Log<String>()

    @MainActor @Test func m6_waitsForACallOnAnotherThread() async throws {
        let (begun, gate) = (Gate(), DispatchSemaphore(value: 0))
        let token = center.messages(of: Ping.self).observe { [log] _ in
            begun.open()
            gate.wait()
            log("handler")
        }
        Thread { [center] in center.post(Ping()) }.start()
        try await begun.wait()
        let waiter = await begin { [log] in
            await token.cancelAndWait()
            log("waited")
        }
        #expect(log.all.isEmpty)
        gate.signal()
        try await waiter.value
        #expect(log.all == ["handler", "waited"])
    }

    /// Starts a call that notes when the call is cancelled and then goes on until `gate` opens.
    ///
    /// Returns a task that cancels the call and waits.
    private func cancelACall(
        _ cancelled: Gate,
        until gate: Gate
    ) async throws -> Task<Void, Never> {
        let begun = Gate()
        let token = center.messages(of: Ping.self).observe { [log] _ in
            begun.open()
            try? await Gate().wait()
            cancelled.open()
            await Task { try? await gate.wait() }.value
            log("handler")
        }
        center.post(Ping())
        try await begun.wait()
        return Task { [log] in
            await token.cancelAndWait()
            log("waited")
        }
    }

    @Test func m6_waitsForAnAsyncCall() async throws {
        let (cancelled, gate) = (Gate(), Gate())
        let waiter = try await cancelACall(cancelled, until: gate)
        try await cancelled.wait()
        gate.open()
        await waiter.value
        #expect(log.all == ["handler", "waited"])
    }

    @Test func m6_waitsForACallOnTheMainActor() async throws {
        let (begun, ended) = (Gate(), Gate())
        let release = DispatchSemaphore(value: 0)
        let source = SourceLocation(fileID: #fileID, line: #line)
        let token = center.channel(of: Ping.self, on: .current).use { channel in
            let settings = RegistrationSettings(
                home: channel,
                flags: .main,
                source: source,
                didEnd: { ended.open() }
            )
            let registration = ClosureRegistration<Ping>(settings) { [log] _ in
                begun.open()
                release.wait()
                log("handler")
            }
            channel.insert(registration)
            return ObservationToken(registration)
        }
        center.post(Ping())
        try await begun.wait()
        let waiter = Task { [log] in
            await token.cancelAndWait()
            log("waited")
        }
        try await ended.wait()
        release.signal()
        await waiter.value
        #expect(log.all == ["handler", "waited"])
    }

    @Test func m6_waitsForACallOnAnActor() async throws {
        actor Shelf {}
        let (begun, gate, shelf) = (Gate(), Gate(), Shelf())
        let token = center.messages(of: Ping.self).observe(on: shelf) { [log] _, _ in
            begun.open()
            await Task { try? await gate.wait() }.value
            log("handler")
        }
        center.post(Ping())
        try await begun.wait()
        async let waiting: Void = token.cancelAndWait()
        gate.open()
        await waiting
        #expect(log.all == ["handler"])
    }

    @Test func m6_insideItsOwnHandlerItDoesNotWaitForThatCall() async throws {
        let (holder, done) = (Log<ObservationToken>(), Gate())
        let token = center.messages(of: Ping.self).observe { [log] _ in
            await holder.all[0].cancelAndWait()
            await Task { await holder.all[0].cancelAndWait() }.value
            await withTaskGroup { group in
                group.addTask { await holder.all[0].cancelAndWait() }
            }
            log("\(Task.isCancelled)")
            done.open()
        }
        holder(token)
        center.post(Ping())
        try await done.wait()
        #expect(log.all == ["true"])
    }

    @Test func m6_insideItsOwnHandlerItWaitsForTheOtherCalls() async throws {
        let (holder, begun, gate) = (Log<ObservationToken>(), Gate(), Gate())
        let token = center.messages(of: Ping.self).concurrency(2).observe { [log] message in
            if message.number == 1 {
                begun.open()
                await Task { try? await gate.wait() }.value
                log("first")
            } else {
                await Task { try? await begun.wait() }.value
                gate.open()
                await holder.all[0].cancelAndWait()
                log("second")
            }
        }
        holder(token)
        center.post(Ping(number: 1))
        try await begun.wait()
        center.post(Ping(number: 2))
        try await gate.wait()
        await token.cancelAndWait()
        #expect(log.all == ["first", "second"])
    }

    @Test func m6_handlersThatWaitForEachOtherDoNotHang() async throws {
        let (holder, both) = (Log<ObservationToken>(), [Gate(), Gate()])
        let tokens = (0...1).map { number in
            center.messages(of: Ping.self).observe { _ in
                both[number].open()
                await Task { try? await both[1 - number].wait() }.value
                await holder.all[1 - number].cancelAndWait()
            }
        }
        for token in tokens { holder(token) }
        center.post(Ping())
        for gate in both { try await gate.wait() }
        for token in tokens { await token.cancelAndWait() }
    }

    @Test func m6_twoCallsOfOneHandlerThatWaitForEachOtherDoNotHang() async throws {
        let (holder, both) = (Log<ObservationToken>(), [Gate(), Gate()])
        let token = center.messages(of: Ping.self).concurrency(2).observe { message in
            both[message.number].open()
            await Task { try? await both[1 - message.number].wait() }.value
            await holder.all[0].cancelAndWait()
        }
        holder(token)
        for number in 0...1 { center.post(Ping(number: number)) }
        for gate in both { try await gate.wait() }
        await token.cancelAndWait()
    }

    @Test func aCancelledTaskKeepsWaiting() async throws {
        let (cancelled, gate) = (Gate(), Gate())
        let waiter = try await cancelACall(cancelled, until: gate)
        waiter.cancel()
        try await cancelled.wait()
        gate.open()
        await waiter.value
        #expect(log.all == ["handler", "waited"])
    }

    @Test func withoutACallInProgressItReturns() async {
        let token = center.observe(Ping.self) { _ in }
        await token.cancelAndWait()
        await token.cancelAndWait()
        #expect(center.post(Ping()) == 0)
    }

    @Test func alsoAfterItsCenterHasGone() async {
        var center: MessageCenter? = MessageCenter()
        let token = center?.observe(Ping.self) { _ in }
        center = nil
        await token?.cancelAndWait()
    }
}
