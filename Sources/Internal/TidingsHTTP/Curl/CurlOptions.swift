// SPDX-License-Identifier: Apache-2.0
import CTidingsCurl
import Glibc

/// The options of an easy handle.
enum CurlOptions {
    private typealias Easy = UnsafeMutableRawPointer

    /// The size of libcurl's read buffer.
    ///
    /// In a measurement, this size was 1.6 times faster than libcurl's default.
    private static let bufferSize = 512 * 1024

    static func apply(_ configuration: HTTPClient.Configuration, to easy: UnsafeMutableRawPointer) {
        set(easy, CURLOPT_NOSIGNAL, to: 1)
        set(easy, CURLOPT_BUFFERSIZE, to: bufferSize)
        set(easy, CURLOPT_FOLLOWLOCATION, to: 0)
        set(easy, CURLOPT_HTTP09_ALLOWED, to: 0)
        set(easy, CURLOPT_TCP_KEEPALIVE, to: 1)
        set(easy, CURLOPT_HTTP_VERSION, to: CURL_HTTP_VERSION_2TLS)
        // Without this option, a running name lookup delays the cancellation until the resolver
        // gives up.
        set(easy, CURLOPT_QUICK_EXIT, to: 1)
        set(easy, CURLOPT_CONNECTTIMEOUT_MS, to: milliseconds(configuration.connectTimeout))
        set(easy, CURLOPT_LOW_SPEED_LIMIT, to: 1)
        set(
            easy,
            CURLOPT_LOW_SPEED_TIME,
            to: (milliseconds(configuration.stallTimeout) + 999) / 1000
        )
        tidings_curl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        tidings_curl_set_string(easy, CURLOPT_PROXY, "")
        tidings_curl_set_string(easy, CURLOPT_NOPROXY, "")
        tidings_curl_set_string(easy, CURLOPT_USERAGENT, configuration.userAgent)
        if let certificates = configuration.certificates {
            tidings_curl_set_string(easy, CURLOPT_CAINFO, certificates)
        }
    }

    /// Sets the request and returns the header list, which must live as long as the handle.
    static func apply(
        _ request: HTTPRequest,
        to easy: UnsafeMutableRawPointer
    )
        -> UnsafeMutablePointer<curl_slist>?
    {
        tidings_curl_set_string(easy, CURLOPT_URL, request.address.text)
        switch request.method {
        case .get: set(easy, CURLOPT_HTTPGET, to: 1)
        case .head: set(easy, CURLOPT_NOBODY, to: 1)
        case .post: setBody(easy, request.body ?? [])
        case .put, .patch:
            setBody(easy, request.body ?? [])
            tidings_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        case .delete:
            if let body = request.body { setBody(easy, body) }
            tidings_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, "DELETE")
        }
        if request.needsOwnConnection {
            set(easy, CURLOPT_HTTP_VERSION, to: CURL_HTTP_VERSION_1_1)
        } else if request.address.scheme == "https" {
            // The request waits for a connection that is being made, because that connection may
            // also carry this request. Without TLS, libcurl learns this only from the first
            // response, so no request waits.
            set(easy, CURLOPT_PIPEWAIT, to: 1)
        }
        if let proxy = request.proxy { apply(proxy, to: easy) }
        let list = headerList(request)
        tidings_curl_set_list(easy, CURLOPT_HTTPHEADER, list)
        return list
    }

    private static func apply(_ proxy: HTTPProxy, to easy: Easy) {
        tidings_curl_set_string(easy, CURLOPT_PROXY, proxy.redacted)
        if let user = proxy.user { tidings_curl_set_string(easy, CURLOPT_PROXYUSERNAME, user) }
        if let password = proxy.password {
            tidings_curl_set_string(easy, CURLOPT_PROXYPASSWORD, password)
        }
        // The proxy's response must not count as the server's response.
        set(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, to: 1)
        set(easy, CURLOPT_HEADEROPT, to: Int(CURLHEADER_SEPARATE))
    }

    /// Returns the status with which the proxy has refused a tunnel, or nil without a refusal.
    static func tunnelRefusal(_ easy: UnsafeMutableRawPointer) -> Int? {
        let status = tidings_curl_get_long(easy, CURLINFO_HTTP_CONNECTCODE)
        return status == 0 || (200...299).contains(status) ? nil : status
    }

    static func setCallbacks(of easy: UnsafeMutableRawPointer, to context: UnsafeMutableRawPointer)
    {
        tidings_curl_set_pointer(easy, CURLOPT_PRIVATE, context)
        tidings_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        tidings_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        tidings_curl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context)
        tidings_curl_set_data_callback(easy, CURLOPT_HEADERFUNCTION, headerCallback)
        tidings_curl_set_data_callback(easy, CURLOPT_WRITEFUNCTION, bodyCallback)
        tidings_curl_set_socket_callback(easy, socketCallback)
    }

    /// Returns whether the protocol delimits bodies, which is true of HTTP/2 and later.
    static func usesFrames(_ easy: UnsafeMutableRawPointer) -> Bool {
        tidings_curl_get_long(easy, CURLINFO_HTTP_VERSION) >= CURL_HTTP_VERSION_2_0
    }

    private static func setBody(_ easy: Easy, _ body: [UInt8]) {
        set(easy, CURLOPT_POST, to: 1)
        tidings_curl_set_large(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        body.withUnsafeBytes { bytes in
            // libcurl copies the bytes. An empty body still needs a non-null pointer.
            let empty = UnsafeMutableRawPointer(mutating: StaticString("").utf8Start)
            let start = bytes.baseAddress.map(UnsafeMutableRawPointer.init(mutating:)) ?? empty
            tidings_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, start)
        }
    }

    private static func headerList(_ request: HTTPRequest) -> UnsafeMutablePointer<curl_slist>? {
        let fields = request.fields.filter(\.isSendable)
        let names = Set(fields.map { $0.name.lowercased() })
        var lines = fields.map {
            $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)"
        }
        lines.append("Expect:")
        // Bodies are stored as they arrive, so they must not be compressed.
        if !names.contains("accept-encoding") { lines.append("Accept-Encoding: identity") }
        if !names.contains("content-type") { lines.append("Content-Type:") }
        return lines.reduce(nil) { list, line in curl_slist_append(list, line) ?? list }
    }

    private static func set(_ easy: Easy, _ option: CURLoption, to value: Int) {
        tidings_curl_set_long(easy, option, value)
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        let parts = duration.components
        let seconds = min(max(0, parts.seconds), 1_000_000)
        return max(1, Int(seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000))
    }
}

// libcurl calls these functions on the engine's thread. The context is the transfer, which the
// engine retains as long as the handle is in use.

private func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
}

private func headerCallback(
    _ bytes: UnsafeMutablePointer<CChar>?,
    size: Int,
    count: Int,
    context: UnsafeMutableRawPointer?
) -> Int {
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer(context)?.receiveHeader(line) == true ? line.count : -1
}

private func bodyCallback(
    _ bytes: UnsafeMutablePointer<CChar>?,
    size: Int,
    count: Int,
    context: UnsafeMutableRawPointer?
) -> Int {
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    switch transfer(context)?.receiveBody(piece) {
    case .accept?: return piece.count
    case .pause?: return Int(CURL_WRITEFUNC_PAUSE)
    case .stop?, nil: return -1
    }
}

private func socketCallback(
    _ context: UnsafeMutableRawPointer?,
    purpose: curlsocktype,
    address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address, let target = tidings_curl_address(address),
        let transfer = transfer(context), transfer.mayConnect(target)
    else { return -1 }
    let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    return socket(address.pointee.family, kind, address.pointee.protocol)
}
