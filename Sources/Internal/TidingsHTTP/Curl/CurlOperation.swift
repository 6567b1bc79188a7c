// SPDX-License-Identifier: Apache-2.0
import CTidingsCurl
import Synchronization

/// One call of `perform`: a sequence of transfers, one for each redirect, with exactly one result.
///
/// Unchecked: the caller that creates the operation passes the operation to the engine's thread
/// under the engine's lock and does not use the operation afterwards. If the engine is closed, no
/// other thread has the operation.
final class CurlOperation: @unchecked Sendable {
    let receiver: any HTTPReceiver
    private let configuration: HTTPClient.Configuration
    private let connectionGuard: ConnectionGuard
    private let continuation: CheckedContinuation<Result<HTTPTransfer, HTTPError>, Never>
    private let cancellation: Cancellation
    private var request: HTTPRequest
    private var redirects: [WebAddress] = []
    /// The number of redirects before the first redirect that is not permanent.
    private var permanentRedirects = 0
    private(set) var transfer: CurlTransfer?

    /// A flag that cancels the operation even if the cancel command reaches the engine first.
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

    /// Returns whether `cancellation` cancels this operation.
    func belongs(to cancellation: Cancellation) -> Bool { self.cancellation === cancellation }

    /// Creates and returns the next transfer, or returns nil if the operation has ended instead.
    ///
    /// - Parameter paused: The transfers of the engine that wait for a turn.
    /// - Returns: The transfer, or nil.
    func makeTransfer(_ paused: PausedTransfers) -> CurlTransfer? {
        transfer = nil
        if cancellation.isCancelled {
            end(.failure(Self.cancelled(request)))
            return nil
        }
        if configuration.refusedOrigins.contains(request.address.origin) {
            end(.failure(CurlFailure.refused(.ownAddress, request.address)))
            return nil
        }
        if request.proxy != nil,
            let code = connectionGuard.refusalThroughProxy(of: request.address)
        {
            end(.failure(CurlFailure.refused(code, request.address)))
            return nil
        }
        transfer = CurlTransfer(
            request,
            receiver: receiver,
            configuration: configuration,
            connectionGuard: connectionGuard,
            paused: paused
        )
        if transfer == nil {
            let message = "There is not enough memory for another transfer."
            end(.failure(HTTPError(.cannotConnect, message)))
        }
        return transfer
    }

    /// Handles the result of the transfer and returns whether another transfer follows.
    func transferEnded(_ code: CURLcode) -> Bool {
        guard let transfer else { return false }
        do throws(HTTPError) {
            guard let head = try transfer.redirectHead(code) else {
                let permanent = redirects.prefix(permanentRedirects).last
                end(.success(try transfer.result(code, redirects, permanently: permanent)))
                return false
            }
            guard redirects.count < configuration.maximumRedirects else {
                throw HTTPError(
                    .tooManyRedirects,
                    "The request was redirected \(redirects.count + 1) times, last by"
                        + " \(head.address.redacted). Check the address."
                )
            }
            request = try Redirect.next(request, after: head)
            if permanentRedirects == redirects.count, [301, 308].contains(head.status) {
                permanentRedirects += 1
            }
            redirects.append(request.address)
            return true
        } catch {
            end(.failure(error))
            return false
        }
    }

    /// Ends the operation because the task was cancelled.
    func cancel() { end(.failure(Self.cancelled(request))) }

    /// Ends the operation because the client is closed.
    func close() { end(.failure(Self.closed)) }

    private func end(_ result: Result<HTTPTransfer, HTTPError>) {
        transfer = nil
        continuation.resume(returning: result)
    }

    static let closed = HTTPError(.closed, "The client was closed. Create a new one.")

    private static func cancelled(_ request: HTTPRequest) -> HTTPError {
        HTTPError(.cancelled, "The request for \(request.address.redacted) was cancelled.")
    }
}
