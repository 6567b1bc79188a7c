// SPDX-License-Identifier: Apache-2.0
import COfflineHTTPServer

// These functions are free and without isolation, because libmicrohttpd calls them on its own
// thread.

/// Called for the head of a request, for each piece of the body, and once after the end.
func receiveRequest(
    context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?,
    version: UnsafePointer<CChar>?,
    bytes: UnsafePointer<CChar>?,
    bodySize: UnsafeMutablePointer<Int>?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context, let connection, let url, let method, let bodySize, let slot else {
        return .NO
    }
    let server = Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue()
    let handle = ConnectionHandle(pointer: connection)
    guard let known = slot.pointee else {
        let request = readHead(of: connection, url: url, method: method)
        let exchange = Exchange(request)
        slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
        server.begin()
        if let refusal = server.admit(request) { return queue(refusal, on: handle, of: server) }
        switch reception(of: request, by: server) {
        case .whole: return .YES
        case .refused(let response): return queue(response, on: handle, of: server)
        case .streamed(let body):
            exchange.stream = body
            return begin(body, of: exchange, on: handle, of: server)
        }
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    if let body = exchange.stream {
        let piece = UnsafeRawBufferPointer(start: bytes, count: bodySize.pointee)
        bodySize.pointee = 0
        return receive(piece, of: body, of: exchange, on: handle, of: server)
    }
    if bodySize.pointee > 0 {
        let piece = UnsafeRawBufferPointer(start: bytes, count: bodySize.pointee)
        bodySize.pointee = 0
        return exchange.append(piece, limit: server.limits) ? .YES : .NO
    }
    if let response = exchange.removeResponse() {
        return queue(response, on: handle, of: server)
    }
    if exchange.beginWork() { server.respond(to: exchange, on: handle) }
    return .YES
}

/// Called when the response to a request is sent or the connection has closed.
///
/// Releases the request.
func completeRequest(
    context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    reason: MHD_RequestTerminationCode
) {
    guard let context, let slot, let known = slot.pointee else { return }
    slot.pointee = nil
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
    let server = Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue()
    if let body = exchange.stream { server.close(body) }
    server.complete()
}

/// The way in which the server receives the body of a request.
private enum Reception {
    case whole
    case streamed(BodyStream)
    case refused(ServerResponse)
}

private func reception(of request: ServerRequest, by server: DaemonContext) -> Reception {
    let text = request.headers(named: "content-length").first
    if let receiver = server.receive(request) {
        guard let text, request.headers(named: "transfer-encoding").isEmpty,
            let length = Int64(text), length >= 0
        else {
            return .refused(
                .failure(
                    411,
                    "lengthMissing",
                    message:
                        "The request does not announce its length. Send it with Content-Length."
                )
            )
        }
        return .streamed(BodyStream(length: length, to: receiver(length)))
    }
    let limit = server.limits.bodyBytes(of: request)
    guard let text else { return .whole }
    guard let length = Int(text), length <= limit else {
        return .refused(
            .failure(
                413,
                "tooLarge",
                message: "The body is too large. Send at most \(limit) bytes."
            )
        )
    }
    return .whole
}

/// Suspends the connection until the receiver of a body is ready.
private func begin(
    _ body: BodyStream,
    of exchange: Exchange,
    on connection: ConnectionHandle,
    of server: DaemonContext
) -> MHD_Result {
    guard server.open(body), server.suspendUnlessDraining(connection) else { return .NO }
    _ = offline_http_set_timeout(connection.pointer, server.limits.streamedIdleSeconds)
    body.begin { refusal in
        if let refusal { exchange.finish(with: refusal) }
        server.resume(connection)
    }
    return .YES
}

/// Called for each piece of a body, and without bytes after `begin` and after the last piece.
private func receive(
    _ piece: UnsafeRawBufferPointer,
    of body: BodyStream,
    of exchange: Exchange,
    on connection: ConnectionHandle,
    of server: DaemonContext
) -> MHD_Result {
    if body.isInterrupted { return .NO }
    // libmicrohttpd misses the end of a connection that arrives together with the last bytes.
    let isMissingBytes = body.count + Int64(piece.count) < body.length
    if isMissingBytes, offline_http_has_ended(connection.pointer) != 0 { return .NO }
    if !piece.isEmpty {
        let isOpen = body.receive(
            piece,
            suspend: { server.suspendUnlessDraining(connection) },
            resume: { server.resume(connection) }
        )
        return isOpen ? .YES : .NO
    }
    if let response = exchange.removeResponse() {
        return queue(response, on: connection, of: server)
    }
    guard !isMissingBytes, exchange.beginWork() else { return .YES }
    // The user may have removed the device since the request started.
    if let refusal = server.admit(exchange.request) {
        return queue(refusal, on: connection, of: server)
    }
    guard server.suspendUnlessDraining(connection) else { return .NO }
    body.end { response in
        exchange.finish(with: response)
        server.resume(connection)
    }
    return .YES
}

private func readHead(
    of connection: OpaquePointer,
    url: UnsafePointer<CChar>,
    method: UnsafePointer<CChar>
) -> ServerRequest {
    ServerRequest(
        String(cString: method),
        String(cString: url),
        query: values(of: connection, kind: .GET_ARGUMENT_KIND),
        headers: values(of: connection, kind: .HEADER_KIND)
    )
}

private func values(of connection: OpaquePointer, kind: MHD_ValueKind) -> [(String, String)] {
    var fields: [(String, String)] = []
    withUnsafeMutablePointer(to: &fields) { pointer in
        _ = MHD_get_connection_values(
            connection,
            kind,
            { context, _, name, value in
                guard let context, let name else { return .YES }
                context.assumingMemoryBound(to: [(String, String)].self).pointee.append(
                    (String(cString: name), value.map { String(cString: $0) } ?? "")
                )
                return .YES
            },
            pointer
        )
    }
    return fields
}
