// SPDX-License-Identifier: Apache-2.0

/// Returns what `body` returns, and cancels it when a limit has passed.
///
/// A suite's time limit ends a test that waits for ever; this one ends it sooner, and its error
/// says what the wait missed. A body that does not listen to its cancellation is waited for; if it
/// returns a value all the same, that is the result.
///
/// ```swift
/// let message = try await within(.seconds(5)) { try await recorder.next() }
/// ```
///
/// - Parameters:
///   - limit: How long the body may take.
///   - clock: The clock that measures it.
///   - fileID: The file of the caller.
///   - line: The line of the caller.
///   - body: What to wait for.
/// - Returns: What the body returns.
/// - Throws: What the body throws; after the limit a ``TidingsTestingError`` with that as its
///   cause.
public func within<Value: Sendable>(
    _ limit: Duration,
    clock: some Clock<Duration> = ContinuousClock(),
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let work = Task { try await body() }
    // The value says whether the limit has passed; a cancelled timer has lost.
    let timer = Task {
        guard (try? await clock.sleep(for: limit)) != nil else { return false }
        work.cancel()
        return true
    }
    let result = await withTaskCancellationHandler {
        await work.result
    } onCancel: {
        work.cancel()
    }
    timer.cancel()
    guard await timer.value, case .failure(let error) = result else { return try result.get() }
    throw TidingsTestingError(
        .timedOut,
        "Not done after \(limit). \(error)",
        cause: error,
        at: TestSite(fileID: fileID, line: line)
    )
}
