// SPDX-License-Identifier: Apache-2.0

/// What goes wrong on the way to the lessons.
enum LessonTrouble: String, Error, CustomStringConvertible {
    case busy = "The server is busy."
    case noConnection = "There is no connection."

    var description: String { rawValue }
}

/// The server of the lessons, which answers when the script says so.
actor LessonServer {
    typealias Answer = Result<[LessonGroup], LessonTrouble>

    private var requests: [CheckedContinuation<Answer, Never>] = []
    private var script: CheckedContinuation<Void, Never>?

    func lessons() async throws -> [LessonGroup] {
        try await withCheckedContinuation {
            requests.append($0)
            script.take()?.resume()
        }.get()
    }

    func waitForRequest() async {
        if requests.isEmpty { await withCheckedContinuation { script = $0 } }
    }

    func answer(_ answer: Answer) async {
        await waitForRequest()
        requests.removeFirst().resume(returning: answer)
    }
}
