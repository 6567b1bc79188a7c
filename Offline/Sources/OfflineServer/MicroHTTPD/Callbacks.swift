// SPDX-License-Identifier: Apache-2.0
import COfflineHTTPServer

// Free functions without isolation: libmicrohttpd calls them on its own thread.

/// Called for each part of a request: its head, the pieces of its body, and once after its end.
func receiveRequest(
    context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?,
    version: UnsafePointer<CChar>?,
    body: UnsafePointer<CChar>?,
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
        slot.pointee = Unmanaged.passRetained(Exchange(request)).toOpaque()
        server.begin()
        let refusal = server.admit(request) ?? bodyRefusal(of: request, limits: server.limits)
        return refusal.map { queue($0, on: handle, of: server) } ?? .YES
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    if bodySize.pointee > 0 {
        let piece = UnsafeRawBufferPointer(start: body, count: bodySize.pointee)
        bodySize.pointee = 0
        return exchange.append(piece, limit: server.limits) ? .YES : .NO
    }
    if let response = exchange.removeResponse() {
        return queue(response, on: handle, of: server)
    }
    if exchange.beginWork() { server.respond(to: exchange, on: handle) }
    return .YES
}

/// Called when the response to a request is sent or its connection has closed; releases it.
func completeRequest(
    context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    reason: MHD_RequestTerminationCode
) {
    guard let context, let slot, let known = slot.pointee else { return }
    slot.pointee = nil
    Unmanaged<Exchange>.fromOpaque(known).release()
    Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue().complete()
}

private func bodyRefusal(
    of request: ServerRequest,
    limits: HTTPServer.Limits
) -> ServerResponse? {
    guard let text = request.headers(named: "content-length").first else { return nil }
    let limit = limits.bodyBytes(of: request)
    guard let length = Int(text), length <= limit else {
        return .failure(
            413,
            "tooLarge",
            "The body is too large. Send at most \(limit) bytes."
        )
    }
    return nil
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
