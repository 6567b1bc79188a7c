// SPDX-License-Identifier: Apache-2.0
#if NATS
import Foundation
import Testing
import Tidings
import TidingsBridge
import TidingsNATS
import TidingsTesting

/// Requests between processes over a real server.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct NATSRequestTests {
    @Test func b9_anotherProcessAnswersAndNeverTheAskingOne() async throws {
        let server = try await NATSServer()
        let office = try await Office(server.address, server.folder.path + "/1").connected()
        #expect(await office.code(of: Doubled(number: 1)) == .noResponder)
        let other = try await Office(server.address, server.folder.path + "/2").connected()
        let tokens = [office, other].enumerated().map { index, office in
            office.center.respond(to: Doubled.self) { request in
                if request.number < 0 { throw Negative() }
                return request.number * 2 + index
            }
        }
        for number in 1...50 {
            let answer = try await office.bridge.request(
                Doubled(number: number),
                timeout: .seconds(60)
            )
            #expect(answer == number * 2 + 1)
        }
        let error = await #expect(throws: BridgeError.self) {
            try await office.bridge.request(Doubled(number: -1), timeout: .seconds(60))
        }
        #expect(error?.code == .remote && error?.message.contains("Negative") == true)
        let long = Doubled(number: 1, note: String(repeating: "x", count: 2 << 20))
        #expect(await office.code(of: long) == .tooLarge)
        try await other.bridge.close(within: .seconds(60))
        // The server learns of the end some time later, and may choose that process until then.
        while await office.code(of: Doubled(number: 1), timeout: .seconds(5)) != .noResponder {
            try Task.checkCancellation()
        }
        withExtendedLifetime(tokens) {}
    }

    @Test func theKillOfTheServerEndsTheWaitAndTheNextRequestIsAnswered() async throws {
        let server = try await NATSServer()
        let folder = server.folder.path
        let office = try await Office(server.address, folder + "/1", answers: false).connected()
        let other = try await Office(server.address, folder + "/2").connected()
        let (began, gate) = (Gate(), Gate())
        let token = other.center.respond(to: Doubled.self) { request in
            began.open()
            try await gate.wait()
            return request.number * 2
        }
        async let code = office.code(of: Doubled(number: 1))
        try await began.wait()
        await server.kill()
        #expect(await code == .notConnected)
        gate.open()
        try await server.start()
        while await office.code(of: Doubled(number: 1)) != nil { try Task.checkCancellation() }
        withExtendedLifetime(token) {}
    }
}

private struct Negative: Error {}

struct Doubled: BridgedRequest {
    typealias Response = Int
    static let wireName: WireName = "numbers.doubled"
    let number: Int
    var note: String?
}

/// A center with a bridge that carries requests.
private final class Office: Sendable {
    let center = MessageCenter()
    let bridge: Bridge

    init(_ address: String, _ folder: String, answers: Bool = true) {
        bridge = Bridge(
            center: center,
            space: "shop",
            transport: NATSTransport(address, .patient),
            storage: folder
        ) {
            if answers { Crossing(answering: Doubled.self) }
        }
    }

    func connected() async throws -> Office {
        try await bridge.start()
        for await state in bridge.status.states.values where state.value?.isConnected == true {
            return self
        }
        throw CancellationError()
    }

    func code(of request: Doubled, timeout: Duration = .seconds(60)) async -> BridgeErrorCode? {
        do {
            _ = try await bridge.request(request, timeout: timeout)
            return nil
        } catch {
            return error.code
        }
    }
}
#endif
