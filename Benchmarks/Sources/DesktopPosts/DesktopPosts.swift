// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsDesktop
import TidingsUserNotifications

/// Posts notifications to the daemon of the session, for `notifications.py` to measure.
///
/// `DesktopPosts post COUNT` shows one notification COUNT times, each after the answer to the one
/// before, and prints the seconds. `DesktopPosts add COUNT` shows one, prints a line, waits for one,
/// requests COUNT others and prints the median of the milliseconds that a request took.
@main
struct DesktopPosts {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 3, let count = Int(words[2]), ["post", "add"].contains(words[1]) else {
            FileHandle.standardError.write(Data("usage: DesktopPosts post|add COUNT\n".utf8))
            exit(64)
        }
        let center = UserNotificationCenter(
            application: .init(id: "org.example.Films", name: "Films"),
            backend: .desktop,
            messages: MessageCenter()
        ) { _ in .granted }
        try await center.requestAuthorization()
        try await show("first", on: center)
        if words[1] == "post" {
            let clock = ContinuousClock()
            let time = try await clock.measure {
                for _ in 0..<count { try await show("first", on: center) }
            }
            print(time / .seconds(1))
        } else {
            // Not through the buffer of `print`: somebody waits for it.
            FileHandle.standardOutput.write(Data("ready\n".utf8))
            _ = readLine()
            print(try await medianOfAdding(count, to: center))
        }
    }

    private static func show(_ identifier: String, on center: UserNotificationCenter) async throws {
        let receipt = try await center.add(request(identifier))
        let outcome = await receipt.outcome
        guard case .accepted = outcome else { fatalError("not shown: \(outcome)") }
    }

    private static func request(_ identifier: String) -> UserNotificationRequest {
        .init(identifier: identifier, content: .init(title: "Title", body: "Body"))
    }

    private static func medianOfAdding(
        _ count: Int,
        to center: UserNotificationCenter
    ) async throws -> Double {
        let clock = ContinuousClock()
        var times: [Duration] = []
        for number in 0..<count {
            times.append(
                try await clock.measure { try await center.add(request("film-\(number)")) }
            )
        }
        return times.sorted()[count / 2] / .milliseconds(1)
    }
}
