// SPDX-License-Identifier: Apache-2.0
import CTidingsCurl

/// One request and the response on one easy handle, without following redirects.
///
/// The transfer is used only on the engine's thread. The handle points to this object, which
/// therefore must outlive every call into libcurl. The engine removes the handle before the engine
/// releases the object.
final class CurlTransfer {
    let easy: UnsafeMutableRawPointer
    let request: HTTPRequest
    private let receiver: any HTTPReceiver
    private let connectionGuard: ConnectionGuard
    private var parser: ResponseHeadParser
    private var head: HTTPResponseHead?
    private var bodyBytes: Int64 = 0
    /// The reason why a callback stopped the transfer.
    private var stopReason: StopReason?
    private var refusal: HTTPError.Code?
    private let paused: PausedTransfers
    private var limited: LimitedTransfer
    private var headerList: UnsafeMutablePointer<curl_slist>?

    private enum StopReason {
        case failure(HTTPError)
        case redirect
        case receiver(HTTPDecision.Stop)
    }

    /// The body of a redirect is read up to this size, so that the connection can be reused.
    private static let maximumRedirectBody: Int64 = 64 * 1024

    init?(
        _ request: HTTPRequest,
        receiver: any HTTPReceiver,
        configuration: HTTPClient.Configuration,
        connectionGuard: ConnectionGuard,
        paused: PausedTransfers
    ) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.request = request
        self.receiver = receiver
        self.connectionGuard = connectionGuard
        self.paused = paused
        limited = LimitedTransfer(request.limits)
        parser = ResponseHeadParser(
            address: request.address,
            maximumBytes: configuration.maximumHeaderBytes
        )
        CurlOptions.apply(configuration, to: easy)
        headerList = CurlOptions.apply(request, to: easy)
        CurlOptions.setCallbacks(of: easy, to: Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        paused.remove(easy)
        limited.end()
        curl_easy_cleanup(easy)
        curl_slist_free_all(headerList)
    }

    // MARK: Called by libcurl

    /// Receives a header line and returns whether the transfer continues.
    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        do throws(HTTPError) {
            guard let head = try parser.parse(line) else { return true }
            self.head = head
            guard Redirect.isRedirect(head) else { return deliver { try receiver.receive(head) } }
            guard let length = head.contentLength, length <= Self.maximumRedirectBody else {
                stopReason = .redirect
                return false
            }
            return true
        } catch {
            stopReason = .failure(error)
            return false
        }
    }

    /// The decision about a piece of the body.
    enum PieceDecision {
        case accept, stop
        /// libcurl keeps the piece and delivers the piece again when the transfer's turn starts.
        case pause
    }

    /// Receives bytes of the body.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> PieceDecision {
        guard let head, stopReason == nil else { return .stop }
        if Redirect.isRedirect(head) { return .accept }
        if let wait = limited.receive(bytes.count) {
            paused.add(easy, for: wait)
            return .pause
        }
        bodyBytes += Int64(bytes.count)
        return deliver { try receiver.receive(bytes) } ? .accept : .stop
    }

    /// Returns whether a connection to the address may be made.
    func mayConnect(_ address: UnsafePointer<sockaddr>) -> Bool {
        guard let (address, port) = NetworkAddress.read(address) else { return false }
        guard
            let code = connectionGuard.refusal(
                of: address,
                port: port,
                isProxy: request.proxy != nil
            )
        else { return true }
        refusal = code
        return false
    }

    private func deliver(_ body: () throws -> HTTPDecision) -> Bool {
        do {
            guard case .stop(let stop) = try body() else { return true }
            stopReason = .receiver(stop)
            return false
        } catch {
            let message = "The transfer of \(request.address.redacted) was stopped by its receiver."
            stopReason = .failure(HTTPError(.stopped, message, cause: error))
            return false
        }
    }

    // MARK: The result

    /// Returns the head if the response is a redirect, or nil otherwise.
    func redirectHead(_ code: CURLcode) throws(HTTPError) -> HTTPResponseHead? {
        guard let head, Redirect.isRedirect(head) else { return nil }
        if case .redirect = stopReason { return head }
        try check(code)
        return head
    }

    /// Returns the response if the response is complete or the receiver stopped the transfer.
    func result(
        _ code: CURLcode,
        _ redirects: [WebAddress],
        permanently permanent: WebAddress?
    ) throws(HTTPError) -> HTTPTransfer {
        guard let head else {
            try check(code)
            throw CurlFailure.cut(request.address)
        }
        var end = bodyEnd(of: head)
        if case .receiver(let stop) = stopReason { end = .stopped(stop) } else { try check(code) }
        if end == .length, bodyBytes != head.contentLength {
            throw CurlFailure.cut(request.address)
        }
        return HTTPTransfer(
            head: head,
            bodyBytes: bodyBytes,
            bodyEnd: end,
            isMultiplexed: CurlOptions.usesFrames(easy),
            redirects: redirects,
            permanentAddress: permanent
        )
    }

    private func bodyEnd(of head: HTTPResponseHead) -> HTTPTransfer.BodyEnd {
        if request.method == .head || head.status == 204 || head.status == 304 { return .none }
        if head.headers.first("Transfer-Encoding") != nil { return .chunked }
        if head.contentLength != nil { return .length }
        return CurlOptions.usesFrames(easy) ? .stream : .connectionClosed
    }

    private func check(_ code: CURLcode) throws(HTTPError) {
        if case .failure(let error) = stopReason { throw error }
        guard code == CURLE_OK else {
            if let proxy = request.proxy,
                let error = CurlFailure.error(
                    code,
                    of: proxy,
                    refusal: refusal,
                    status: CurlOptions.tunnelRefusal(easy)
                )
            {
                throw error
            }
            throw CurlFailure.error(code, request.address, refusal: refusal)
        }
    }
}
