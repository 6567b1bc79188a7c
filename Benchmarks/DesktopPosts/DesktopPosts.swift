// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsDesktop
import TidingsUserNotifications

/// Posts notifications to the session's daemon, for measurements by `notifications.py`.
///
/// `DesktopPosts post COUNT` shows one notification COUNT times, each after the daemon's reply to
/// the previous post, and prints the seconds. `DesktopPosts add COUNT` shows one notification,
/// prints a line, reads a line, requests COUNT more notifications and prints the median
/// milliseconds of a request.
@main
struct DesktopPosts {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]),
            ["post", "add"].contains(arguments[1])
        else {
            FileHandle.standardError.write(Data("usage: DesktopPosts post|add COUNT\n".utf8))
            exit(64)
        }
        let center = UserNotificationCenter(
            application: .init(id: "org.example.Films", name: "Films"),
            backend: .desktop,
            messages: MessageCenter()
        ) { _ in true }
        try await center.requestAuthorization()
        try await show("first", on: center)
        if arguments[1] == "post" {
            let clock = ContinuousClock()
            let time = try await clock.measure {
                for _ in 0..<count { try await show("first", on: center) }
            }
            print(time / .seconds(1))
        } else {
            // `print` would buffer the line, for which the parent process waits.
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
