// SPDX-License-Identifier: Apache-2.0

/// An error while loading the lessons.
enum LessonError: String, Error, CustomStringConvertible {
    case busy = "The server is busy."
    case noConnection = "There is no connection."

    var description: String { rawValue }
}

/// A simulated server of lessons, whose responses the script triggers.
actor LessonServer {
    typealias Response = Result<[LessonGroup], LessonError>

    private var requests: [CheckedContinuation<Response, Never>] = []
    private var waiter: CheckedContinuation<Void, Never>?

    func lessons() async throws -> [LessonGroup] {
        try await withCheckedContinuation {
            requests.append($0)
            waiter.take()?.resume()
        }.get()
    }

    func waitForRequest() async {
        if requests.isEmpty { await withCheckedContinuation { waiter = $0 } }
    }

    func respond(_ response: Response) async {
        await waitForRequest()
        requests.removeFirst().resume(returning: response)
    }
}
