// SPDX-License-Identifier: Apache-2.0
internal import CTidingsCurl
internal import Synchronization

/// One call of `perform`: its hops one after the other, and its end exactly once.
///
/// Unchecked: the caller who made it hands it over under the engine's lock and does nothing more
/// with it, unless the engine is closed and takes nothing; then no other thread has it.
final class CurlExchange: @unchecked Sendable {
    let receiver: any HTTPReceiver
    private let configuration: HTTPClient.Configuration
    private let connectionGuard: ConnectionGuard
    private let continuation: CheckedContinuation<Result<HTTPTransfer, HTTPError>, Never>
    private let cancellation: Cancellation
    private var request: HTTPRequest
    private var redirects: [WebAddress] = []
    private(set) var hop: CurlHop?

    /// The flag that outlives the order in which start and cancel reach the engine.
    final class Cancellation: Sendable {
        private let flag = Atomic<Bool>(false)

        var isCancelled: Bool { flag.load(ordering: .acquiring) }

        func cancel() { flag.store(true, ordering: .releasing) }
    }

    init(
        _ request: HTTPRequest,
        receiver: any HTTPReceiver,
        engine: CurlEngine,
        cancellation: Cancellation,
        continuation: CheckedContinuation<Result<HTTPTransfer, HTTPError>, Never>
    ) {
        self.request = request
        self.receiver = receiver
        self.cancellation = cancellation
        self.continuation = continuation
        configuration = engine.configuration
        connectionGuard = engine.connectionGuard
    }

    /// Whether this is the call that `cancellation` belongs to.
    func belongs(to cancellation: Cancellation) -> Bool { self.cancellation === cancellation }

    /// Makes the next hop and returns its handle; the exchange has ended if that is nil.
    func makeHop() -> CurlHop? {
        hop = nil
        if cancellation.isCancelled {
            end(.failure(Self.cancelled(request)))
            return nil
        }
        if configuration.refusedOrigins.contains(request.address.origin) {
            end(.failure(CurlFailure.refused(.ownAddress, request.address)))
            return nil
        }
        hop = CurlHop(
            request,
            receiver: receiver,
            configuration: configuration,
            connectionGuard: connectionGuard
        )
        if hop == nil {
            end(.failure(HTTPError(.cannotConnect, "There is no memory for another transfer.")))
        }
        return hop
    }

    /// Takes the result of the hop and returns whether another hop follows.
    func hopEnded(_ code: CURLcode) -> Bool {
        guard let hop else { return false }
        do throws(HTTPError) {
            guard let head = try hop.redirectHead(code) else {
                end(.success(try hop.transfer(code, redirects: redirects)))
                return false
            }
            guard redirects.count < configuration.maximumRedirects else {
                throw HTTPError(
                    .tooManyRedirects,
                    "\(head.address.redacted) sent on \(redirects.count + 1) times; check the address."
                )
            }
            request = try Redirect.next(request, after: head)
            redirects.append(request.address)
            return true
        } catch {
            end(.failure(error))
            return false
        }
    }

    /// Ends the call because its task was cancelled.
    func cancel() { end(.failure(Self.cancelled(request))) }

    /// Ends the call because the client is closed.
    func close() { end(.failure(Self.closed)) }

    private func end(_ result: Result<HTTPTransfer, HTTPError>) {
        hop = nil
        continuation.resume(returning: result)
    }

    static let closed = HTTPError(.closed, "The client was closed; make a new one to go on.")

    private static func cancelled(_ request: HTTPRequest) -> HTTPError {
        HTTPError(.cancelled, "The request for \(request.address.redacted) was cancelled.")
    }
}
