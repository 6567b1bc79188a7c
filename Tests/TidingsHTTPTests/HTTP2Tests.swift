// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsLock
import TidingsTestFixtures

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(15)))
struct HTTP2Tests {
    private let server: HTTP2Server

    init() throws { server = try HTTP2Server() }

    private func failure(_ path: String) async throws -> HTTPError {
        try #require(await #expect(throws: HTTPError.self) { try await server.get(path) })
    }

    /// The numbers of the connections over which requests arrived.
    private func connections() async throws -> Set<Int> {
        Set(try await server.log().map(\.connection))
    }

    @Test func concurrentRequestsShareOneConnection() async throws {
        let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in 1...24 {
                group.addTask { [server] in
                    try await server.get("/\(number)?size=\(number * 10_000)&gate=all").body
                }
            }
            try await server.waitForRequests(24, atGate: "all")
            try await server.openGate("all")
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let log = try await server.log()
        #expect(log.count == 24)
        #expect(Set(log.map(\.connection)) == [1])
        #expect(log.allSatisfy { $0.protocol == "h2" })
        #expect(log.map(\.others).max() ?? 0 >= 23)
        let whole = try await server.get("/whole?size=240000").body
        #expect(bodies.map(\.count).sorted() == (1...24).map { $0 * 10_000 })
        #expect(bodies.allSatisfy { $0 == Array(whole.prefix($0.count)) })
    }

    @Test func requestsThatBeginTogetherWaitForOneHandshake() async throws {
        let origin = try OriginServer()
        try await origin.serve(["/a": ["text": "x"]])
        let tasks = Lock<[Task<Int, any Error>]>([])
        // Immediate tasks run on the client's own thread, which cannot connect in this time.
        let recorder = Recorder(onBytes: { [server] _ in
            for number in 1...24 {
                let task = Task.immediate { @Sendable in
                    try await server.get("/\(number)?size=1000").body.count
                }
                tasks.withLock { $0.append(task) }
            }
        })
        let request = HTTPRequest(try origin.address("/a"))
        _ = try await server.client.perform(request, receiver: recorder)
        for task in tasks.withLock({ $0 }) {
            let count = try await task.value
            #expect(count == 1000)
        }
        #expect(try await server.log().count == 24)
        #expect(try await connections() == [1])
    }

    @Test func moreRequestsThanTheServerPermitsUseFurtherConnections() async throws {
        let server = try HTTP2Server(streams: 2)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...6 {
                group.addTask {
                    let count = try await server.get("/\(number)?size=50000").body.count
                    #expect(count == 50_000)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await server.log().allSatisfy { $0.others < 2 })
    }

    @Test func aTransferStatesWhetherOthersMayShareItsConnection() async throws {
        #expect(try await server.get("/a?size=10").transfer.isMultiplexed)
        let origin = try OriginServer()
        try await origin.serve(["/a": ["text": "x"]])
        let client = HTTPClient(HTTPClient.Configuration(addressPolicy: .any).patient)
        let (transfer, _) = try await client.fetch(
            HTTPRequest(try origin.address("/a")),
            limit: 10
        )
        #expect(!transfer.isMultiplexed)
    }

    @Test func aRequestCanHaveItsOwnConnection() async throws {
        async let shared = server.get("/a?size=1000&gate=all").body.count
        try await server.waitForRequests(1, atGate: "all")
        var request = try server.request("/b?size=1000")
        request.needsOwnConnection = true
        let (transfer, body) = try await server.client.fetch(request, limit: 1000)
        #expect(body.count == 1000)
        #expect(!transfer.isMultiplexed)
        try await server.openGate("all")
        #expect(try await shared == 1000)
        let log = try await server.log()
        #expect(log.map(\.protocol) == ["h2", "http/1.1"])
        #expect(log[0].connection != log[1].connection)
    }

    @Test func aRangeOfABodyArrives() async throws {
        let whole = try await server.get("/a?size=300000").body
        var request = try server.request("/a?size=300000")
        request.range = HTTPByteRange(offset: 123_456)
        request.ifRange = "\"300000\""
        let (transfer, body) = try await server.client.fetch(request, limit: 1 << 20)
        #expect(transfer.head.status == 206)
        #expect(transfer.head.contentRange?.first == 123_456)
        #expect(transfer.bodyEnd == .length)
        #expect(body == Array(whole[123_456...]))
    }

    @Test(arguments: ["reset", "clean", "goaway", "close", "short"])
    func o6_aResponseThatEndsEarlyIsNoHalfOne(fault: String) async throws {
        let path = "/a?size=300000&fault=\(fault)&at=100000"
        let error = try await failure(path)
        #expect(error.code == .cut)
        #expect(error.isTransient)
        #expect(try await server.get(path).body.count == 300_000)
    }

    @Test(arguments: ["reset", "goaway", "close"])
    func o6_aFaultInAResponseWithoutALengthIsFound(fault: String) async throws {
        let path = "/a?size=300000&nolength&fault=\(fault)&at=100000"
        #expect(try await failure(path).code == .cut)
        let (transfer, body) = try await server.get(path)
        #expect(body.count == 300_000)
        #expect(transfer.bodyEnd == .stream)
    }

    @Test func o6_theEndOfAResponseWithoutALengthIsNotProven() async throws {
        // libcurl does not report this fault.
        let (transfer, body) = try await server.get("/a?size=9000&nolength&fault=clean&at=1000")
        #expect(body.count == 1000)
        #expect(!transfer.bodyEnd.isProven)
    }

    @Test func aRefusedRequestIsSentAgain() async throws {
        #expect(try await server.get("/a?size=1000&fault=refuse").body.count == 1000)
    }

    @Test func aFaultOfOneTransferLeavesTheOthersOfItsConnection() async throws {
        async let other = server.get("/b?size=5000&gate=b").body.count
        try await server.waitForRequests(1, atGate: "b")
        #expect(try await failure("/a?size=300000&fault=reset&at=1000").code == .cut)
        try await server.openGate("b")
        #expect(try await other == 5_000)
        #expect(try await connections() == [1])
    }

    @Test func anAbandonedTransferLeavesTheOthersOfItsConnection() async throws {
        async let other = server.get("/b?size=5000&gate=b").body.count
        try await server.waitForRequests(1, atGate: "b")
        let recorder = Recorder(decide: { $0 > 1000 ? .stop(.complete) : .proceed })
        let request = try server.request("/a?size=9000000")
        let transfer = try await server.client.perform(request, receiver: recorder)
        #expect(transfer.bodyEnd == .stopped(.complete))
        let cancelled = Task { [server] in try await server.get("/c?size=1&gate=c") }
        try await server.waitForRequests(1, atGate: "c")
        cancelled.cancel()
        await #expect(throws: HTTPError.self) { try await cancelled.value }
        try await server.openGate("b")
        #expect(try await other == 5_000)
        #expect(try await connections() == [1])
    }

    @Test func o22_aSlowTransferDoesNotStopTheOthersOfItsConnection() async throws {
        let limit = TransferLimit(rate: 20_000)
        var slow = try server.request("/slow?size=9000000")
        slow.limits = [limit]
        let request = slow
        let recorder = Recorder(limit: 0)
        let transfer = Task { [server] in
            try await server.client.perform(request, receiver: recorder)
        }
        #expect(try await server.get("/fast?size=20000000").body.count == 20_000_000)
        transfer.cancel()
        await #expect(throws: HTTPError.self) { try await transfer.value }
        #expect(try await connections() == [1])
    }

    @Test func anotherCertificateIsRefused() async throws {
        let stranger = HTTPClient(HTTPClient.Configuration(addressPolicy: .any).patient)
        let request = try server.request("/a?size=1")
        let error = await #expect(throws: HTTPError.self) {
            try await stranger.fetch(request, limit: 1)
        }
        #expect(error?.code == .secureConnection)
    }
}
