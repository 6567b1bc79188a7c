// SPDX-License-Identifier: Apache-2.0
#if NATS
import CTidingsNATS
import Testing

/// The behavior that the transport needs when the library's own thread cannot write.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct NATSLostBytesTests {
    @Test func b12_theLibraryEndsAConnectionWhoseBytesItsThreadCannotWrite() async throws {
        let server = try await NATSServer()
        let proxy = try FaultProxy(to: server.port)
        defer { proxy.close() }
        var options: OpaquePointer?
        try #require(natsOptions_Create(&options) == NATS_OK)
        defer { natsOptions_Destroy(options) }
        natsOptions_SetURL(options, proxy.address)
        natsOptions_SetAllowReconnect(options, false)
        natsOptions_SetWriteDeadline(options, 300)
        var connection: OpaquePointer?
        try #require(natsConnection_Connect(&connection, options) == NATS_OK)
        defer { natsConnection_Destroy(connection) }
        proxy.stall()
        let text = String(repeating: "x", count: 16_000)
        var status = NATS_OK
        while status == NATS_OK {
            status = natsConnection_PublishString(connection, "a", text)
            // Only the thread of the library writes, and no call reports a failure of that thread.
            while natsConnection_Buffered(connection) > 0 {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
        #expect(status == NATS_CONNECTION_CLOSED)
    }
}
#endif
