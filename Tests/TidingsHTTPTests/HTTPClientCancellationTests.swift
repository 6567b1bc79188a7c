// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsTestFixtures
import TidingsTesting

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(15)))
struct HTTPClientCancellationTests {
    let origin: OriginServer
    let client = HTTPClient(HTTPClient.Configuration(addressPolicy: .any).patient)

    init() throws { origin = try OriginServer() }

    @Test(
        arguments: [
            ["text": "x", "gate": "g"], ["size": 1000, "gate": "g", "gateAfter": 10],
        ] as [JSON]
    )
    func o8_cancellingEndsAWaitingTransfer(route: JSON) async throws {
        try await origin.serve(["/a": route])
        let request = try HTTPRequest(origin.address("/a"))
        let recorder = Recorder()
        let (client, task) = start(request, recorder)
        try await origin.waitForRequests(atGate: "g")
        task.cancel()
        let result = await task.value
        recorder.end()
        #expect(result?.code == .cancelled)
        #expect(result?.isTransient == false)
        try await origin.openGate("g")
        _ = try await origin.log(finished: 1)
        client.close()
        #expect(recorder.callsAfterEnd == 0)
    }

    @Test func cancellingEndsARunningTransfer() async throws {
        try await origin.serve(["/a": ["endless": true]])
        let begun = Gate()
        let recorder = Recorder(limit: 10) { _ in begun.open() }
        let (client, task) = start(try HTTPRequest(origin.address("/a")), recorder)
        try await begun.wait()
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        recorder.end()
        client.close()
        #expect(recorder.callsAfterEnd == 0)
    }

    @Test func anAlreadyCancelledTaskSendsNoRequest() async throws {
        let request = try HTTPRequest(origin.address("/a"))
        let gate = Gate()
        let task = Task { [client] in
            try? await gate.wait()
            return await error { _ = try await client.fetch(request, limit: 1) }
        }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        #expect(try await origin.log().isEmpty)
    }

    @Test func cancellingOneRequestDoesNotAffectOthers() async throws {
        try await origin.serve(["/a": ["text": "x", "gate": "g"]])
        let request = try HTTPRequest(origin.address("/a"))
        let tasks = (0..<3).map { _ in
            Task { [client] in await error { _ = try await client.fetch(request, limit: 1) } }
        }
        try await origin.waitForRequests(3, atGate: "g")
        tasks[1].cancel()
        #expect(await tasks[1].value?.code == .cancelled)
        try await origin.openGate("g")
        #expect(await tasks[0].value == nil)
        #expect(await tasks[2].value == nil)
    }

    @Test func closingEndsEverything() async throws {
        try await origin.serve(["/a": ["text": "x", "gate": "g"]])
        let request = try HTTPRequest(origin.address("/a"))
        let (client, task) = start(request, Recorder())
        try await origin.waitForRequests(atGate: "g")
        client.close()
        client.close()
        #expect(await task.value?.code == .closed)
        let later = await error { _ = try await client.fetch(request, limit: 1) }
        #expect(later?.code == .closed)
    }

    @Test func aReceiverMayCloseTheClient() async throws {
        try await origin.serve(["/a": ["endless": true]])
        let own = HTTPClient(HTTPClient.Configuration(addressPolicy: .any).patient)
        let recorder = Recorder(limit: 10) { [weak own] _ in own?.close() }
        let request = try HTTPRequest(origin.address("/a"))
        let failure = await error { _ = try await own.perform(request, receiver: recorder) }
        #expect(failure?.code == .closed)
    }

    private func start(
        _ request: HTTPRequest,
        _ recorder: Recorder
    )
        -> (HTTPClient, Task<HTTPError?, Never>)
    {
        let task = Task { [client] in
            await error { _ = try await client.perform(request, receiver: recorder) }
        }
        return (client, task)
    }
}

private func error(_ body: () async throws -> Void) async -> HTTPError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? HTTPError
    }
}
