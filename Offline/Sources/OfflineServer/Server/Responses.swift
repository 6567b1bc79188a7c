// SPDX-License-Identifier: Apache-2.0
import COfflineHTTPServer
import Foundation

/// Queues a response in libmicrohttpd.
///
/// Only the server's thread may call this function.
func queue(
    _ response: ServerResponse,
    on connection: ConnectionHandle,
    of server: DaemonContext
) -> MHD_Result {
    guard let mhdResponse = makeResponse(of: response, on: connection, of: server) else {
        return .NO
    }
    defer { MHD_destroy_response(mhdResponse) }
    let common = ServerResponse.commonHeaders.filter { response.header($0.name) == nil }
    for header in common + response.headers {
        // libmicrohttpd rejects a value with a line break, so a value cannot inject a header.
        _ = MHD_add_response_header(mhdResponse, header.name, header.value)
    }
    return MHD_queue_response(connection.pointer, UInt32(response.status), mhdResponse)
}

/// The maximum number of event bytes in one write.
///
/// libmicrohttpd offers the rest of the connection's memory. A thousand pages with full memory
/// would occupy the memory for as long as the pages are open.
private let eventBytes = 2_048
/// The size of the buffer that libmicrohttpd allocates for each stream but uses only for HTTP/1.0.
private let eventBufferBytes = 512

private func makeResponse(
    of response: ServerResponse,
    on connection: ConnectionHandle,
    of server: DaemonContext
) -> OpaquePointer? {
    switch response.body {
    case .bytes(let bytes):
        return bytes.withUnsafeBytes { buffer in
            MHD_create_response_from_buffer(
                buffer.count,
                UnsafeMutableRawPointer(mutating: buffer.baseAddress),
                .RESPMEM_MUST_COPY
            )
        }
    case .file(let file, let offset, let length):
        let descriptor = file.releaseDescriptor()
        guard descriptor >= 0 else { return nil }
        _ = offline_http_set_timeout(connection.pointer, server.limits.fileIdleSeconds)
        // On success, libmicrohttpd owns and closes the descriptor.
        let mhdResponse = MHD_create_response_from_fd_at_offset64(
            UInt64(length),
            descriptor,
            UInt64(offset)
        )
        if mhdResponse == nil { close(descriptor) }
        return mhdResponse
    case .events(let stream):
        guard server.open(stream) else {
            stream.end()
            return nil
        }
        let client = EventClient(stream: stream, connection: connection, server: server)
        let unmanaged = Unmanaged.passRetained(client)
        let mhdResponse = MHD_create_response_from_callback(
            UInt64.max,
            eventBufferBytes,
            readEvents,
            unmanaged.toOpaque(),
            releaseEvents
        )
        if mhdResponse == nil { unmanaged.release() }
        return mhdResponse
    }
}

/// The connection that sends a stream's events.
private final class EventClient: Sendable {
    let stream: EventStream
    let connection: ConnectionHandle
    let server: DaemonContext

    init(stream: EventStream, connection: ConnectionHandle, server: DaemonContext) {
        self.stream = stream
        self.connection = connection
        self.server = server
    }
}

private func readEvents(
    context: UnsafeMutableRawPointer?,
    position: UInt64,
    buffer: UnsafeMutablePointer<CChar>?,
    size: Int
) -> Int {
    guard let context, let buffer else { return -2 }
    let client = Unmanaged<EventClient>.fromOpaque(context).takeUnretainedValue()
    let result = client.stream.read(
        into: UnsafeMutableRawBufferPointer(start: buffer, count: min(size, eventBytes)),
        pause: { client.server.suspend(client.connection) },
        resume: { client.server.resume(client.connection) }
    )
    switch result {
    case .bytes(let count): return count
    case .empty: return 0
    case .ended: return -1
    }
}

private func releaseEvents(context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    let client = Unmanaged<EventClient>.fromOpaque(context).takeRetainedValue()
    client.server.close(client.stream)
}
