// SPDX-License-Identifier: Apache-2.0

/// Returns the result of `body`, or cancels the body when a time limit has passed.
///
/// A suite's time limit ends a test that waits forever. This function ends such a test sooner, and
/// the error describes the unfinished wait. If the body ignores the cancellation, the function
/// waits for the body. If the body still returns a value, the function returns that value.
///
/// ```swift
/// let message = try await within(.seconds(5)) { try await recorder.next() }
/// ```
///
/// - Parameters:
///   - limit: The maximum duration of the body.
///   - clock: The clock that measures the limit.
///   - fileID: The file of the caller.
///   - line: The line of the caller.
///   - body: The work to wait for.
/// - Returns: The value of the body.
/// - Throws: The error of the body. After the limit, a ``TidingsTestingError`` with that error as
///   the cause.
public func within<Value: Sendable>(
    _ limit: Duration,
    clock: some Clock<Duration> = ContinuousClock(),
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let work = Task { try await body() }
    // The value is whether the limit has passed. A cancelled timer returns false.
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
        "Timed out after \(limit). \(error)",
        cause: error,
        at: CallSite(fileID: fileID, line: line)
    )
}
