// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsTracing

/// The script of the app, step by step, with screens that print their content.
@MainActor
struct Session {
    private let center: MessageCenter
    private let server = LessonServer()
    private let app: LessonsApp

    /// - Parameters:
    ///   - title: The title of the first step.
    ///   - center: The center that all parts of the app share.
    ///   - copy: The location of the catalog's stored copy.
    init(_ title: String, center: MessageCenter, copy: URL) {
        print("> \(title)")
        self.center = center
        app = LessonsApp(center: center, copy: copy, server: server)
    }

    /// Plays the first session and returns a check for the end of the app.
    func play() async -> TeardownCheck {
        await start()
        await download()
        await loseConnection()
        await regainConnection()
        await finish()
        return TeardownCheck(of: app)
    }

    /// Plays the next start of the program, which reads the copy of the first session.
    func playNextDay() async -> TeardownCheck {
        // The catalog reads the copy before it sends the request.
        await server.waitForRequest()
        act("The list appears below the splash screen, before the response", app.openList)
        await act("The server responds") { await respond(.success(.tonight)) }
        await app.catalog.flush()
        return TeardownCheck(of: app)
    }

    private func start() async {
        await act("The server is busy") { await respond(.failure(.busy)) }
        act("The list replaces the splash screen", app.openList)
        close("splash screen", &app.splash)
        await act("She tries again") { await waitFor(.loading) { app.list?.refresh() } }
        await act("The server responds") { await respond(.success(.today)) }
    }

    private func download() async {
        act("She downloads “Greetings”") { app.list?.download(.audioAndText, of: 1) }
        await act("A moment later", receivePiece)
        act("She opens the downloads", app.openDownloads)
        act("She plays “At the market”") { app.openPlayer(2) }
        act("She downloads it in the player") { app.player?.download() }
        print("  (\(app.downloads.observerCount) observers of downloads)")
        await act("A moment later", receivePiece)
    }

    private func loseConnection() async {
        act("The connection is lost") { app.connectivity.change(isOnline: false) }
        await act("A moment later: nothing arrives", receivePiece)
        await act("She reloads the lessons") { await waitFor(.loading) { app.list?.refresh() } }
        await act("The request fails") { await respond(.failure(.noConnection)) }
    }

    private func regainConnection() async {
        await act("The connection is back: the catalog reloads by itself") {
            await waitFor(.loading) { app.connectivity.change(isOnline: true) }
        }
        await act("The server responds") { await respond(.success(.tonight)) }
        await act("A moment later", receivePiece)
        await act("A moment later", receivePiece)
        await act("A moment later", receivePiece)
    }

    private func finish() async {
        print("\n> She closes the player and the downloads")
        close("player", &app.player)
        close("downloads screen", &app.downloadsScreen)
        print("  (\(app.downloads.observerCount) observers of downloads)")
        await act("A moment later", receivePiece)
        act("She plays “At the market” again") { app.openPlayer(2) }
        act("She removes “Greetings”") { app.list?.remove(1) }
        // The next start of the program shows this copy first.
        await app.catalog.flush()
        print("\nWhile the app runs\n  \(center.leakReport().count) observations")
    }
}

extension Session {
    private func act(_ text: String, _ action: () -> Void) {
        print("\n> \(text)")
        action()
    }

    private func act(_ text: String, _ action: () async -> Void) async {
        print("\n> \(text)")
        await action()
    }

    /// Releases a screen and prints whether the screen is gone.
    private func close<Screen: AnyObject>(_ name: String, _ screen: inout Screen?) {
        weak let closed = screen
        screen = nil
        print("  (the \(name) is \(closed == nil ? "gone" : "still there"))")
    }

    private func respond(_ response: LessonServer.Response) async {
        let phase: LoadPhase = if case .success = response { .loaded } else { .error }
        await waitFor(phase) { await server.respond(response) }
    }

    /// Performs an action and waits until all observers of the lessons have received a phase.
    ///
    /// Responses arrive on another thread. A thread that is notifying observers also delivers later
    /// changes, and the thread that makes such a change does not wait for the delivery. So the
    /// script waits before the next step.
    private func waitFor(_ phase: LoadPhase, _ action: () async -> Void) async {
        let (phases, continuation) = AsyncStream.makeStream(of: LoadPhase.self)
        // Observers are called in the order of registration, so this observer is the last.
        let token = app.catalog.lessons.observe(on: .main) { continuation.yield($0.phase) }
        await action()
        for await next in phases where next == phase { break }
        withExtendedLifetime(token) {}
    }

    /// Receives a piece of a download and returns after all observers have been notified.
    private func receivePiece() async {
        await app.downloads.receivePiece()
        app.downloads.deliverPendingNotifications()
    }
}
