// SPDX-License-Identifier: Apache-2.0
internal import CTidingsCurl

/// One request and its answer on one easy handle, without redirects.
///
/// Lives on the engine's thread. The handle points back at this object, which therefore must
/// outlive every call into libcurl: the engine removes the handle before it lets go.
final class CurlHop {
    let easy: UnsafeMutableRawPointer
    let request: HTTPRequest
    private let receiver: any HTTPReceiver
    private let connectionGuard: ConnectionGuard
    private var parser: ResponseHeadParser
    private var head: HTTPResponseHead?
    private var bodyBytes: Int64 = 0
    /// Why a callback of ours stopped the transfer.
    private var stop: Stop?
    private var refusal: HTTPError.Code?
    private var headerList: UnsafeMutablePointer<curl_slist>?

    private enum Stop {
        case failure(HTTPError)
        case redirect
    }

    /// A redirect's body up to this size is read, so that the connection can be kept.
    private static let maximumRedirectBody: Int64 = 64 * 1024

    init?(
        _ request: HTTPRequest,
        receiver: any HTTPReceiver,
        configuration: HTTPClient.Configuration,
        connectionGuard: ConnectionGuard
    ) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.request = request
        self.receiver = receiver
        self.connectionGuard = connectionGuard
        parser = ResponseHeadParser(
            address: request.address,
            maximumBytes: configuration.maximumHeaderBytes
        )
        CurlOptions.apply(configuration, to: easy)
        headerList = CurlOptions.apply(request, to: easy)
        CurlOptions.setCallbacks(of: easy, to: Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(headerList)
    }

    // MARK: What libcurl calls

    /// Takes a header line and returns whether the transfer goes on.
    func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        do throws(HTTPError) {
            guard let head = try parser.take(line) else { return true }
            self.head = head
            guard Redirect.isRedirect(head) else { return deliver { try receiver.receive(head) } }
            guard let length = head.contentLength, length <= Self.maximumRedirectBody else {
                stop = .redirect
                return false
            }
            return true
        } catch {
            stop = .failure(error)
            return false
        }
    }

    /// Takes bytes of the body and returns whether the transfer goes on.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let head, stop == nil else { return false }
        if Redirect.isRedirect(head) { return true }
        bodyBytes += Int64(bytes.count)
        return deliver { try receiver.receive(bytes) }
    }

    /// Returns whether a connection to the address may be made.
    func mayConnect(_ address: UnsafePointer<sockaddr>) -> Bool {
        guard let (address, port) = NetworkAddress.read(address) else { return false }
        guard let code = connectionGuard.refusal(of: address, port: port) else { return true }
        refusal = code
        return false
    }

    private func deliver(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            let message = "The transfer of \(request.address.redacted) was stopped by its receiver."
            stop = .failure(HTTPError(.stopped, message, cause: error))
            return false
        }
    }

    // MARK: What came of it

    /// The head of the redirect this hop ended with; nil if it was the last one.
    func redirectHead(_ code: CURLcode) throws(HTTPError) -> HTTPResponseHead? {
        guard let head, Redirect.isRedirect(head) else { return nil }
        if case .redirect = stop { return head }
        try check(code)
        return head
    }

    /// The answer, if it is whole.
    func transfer(_ code: CURLcode, redirects: [WebAddress]) throws(HTTPError) -> HTTPTransfer {
        try check(code)
        guard let head else { throw CurlFailure.cut(request.address) }
        let end = bodyEnd(of: head)
        if end == .length, bodyBytes != head.contentLength {
            throw CurlFailure.cut(request.address)
        }
        return HTTPTransfer(head: head, bodyBytes: bodyBytes, bodyEnd: end, redirects: redirects)
    }

    private func bodyEnd(of head: HTTPResponseHead) -> HTTPTransfer.BodyEnd {
        if request.method == .head || head.status == 204 || head.status == 304 { return .none }
        if head.headers.first("Transfer-Encoding") != nil { return .chunked }
        if head.contentLength != nil { return .length }
        return CurlOptions.usesFrames(easy) ? .chunked : .connectionClosed
    }

    private func check(_ code: CURLcode) throws(HTTPError) {
        if case .failure(let error) = stop { throw error }
        guard code == CURLE_OK else {
            throw CurlFailure.error(code, request.address, refusal: refusal)
        }
    }
}
