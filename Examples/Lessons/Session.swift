// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// What happens to the app, one thing after the other; screens print what they show.
@MainActor
struct Session {
    private let center: MessageCenter
    private let server = LessonServer()
    private let app: LessonsApp

    /// - Parameters:
    ///   - title: How it begins.
    ///   - center: What the parts of the app have in common.
    ///   - copy: Where the catalogue keeps its copy.
    init(_ title: String, center: MessageCenter, copy: URL) {
        print("> \(title)")
        self.center = center
        app = LessonsApp(center: center, copy: copy, server: server)
    }

    /// Plays it once, and returns who says goodbye to it.
    func play() async -> Farewell {
        await start()
        await download()
        await loseConnection()
        await regainConnection()
        await finish()
        return Farewell(to: app)
    }

    /// Plays the next start of the program, which finds the copy that this one has stored.
    func playNextDay() async -> Farewell {
        // The copy is read before the server is asked.
        await server.waitForRequest()
        act("The list comes below the splash screen, before there is an answer", app.openList)
        await act("The server answers") { await answer(.success(.tonight)) }
        await app.catalogue.flush()
        return Farewell(to: app)
    }

    private func start() async {
        await act("The server refuses") { await answer(.failure(.busy)) }
        act("The list takes the place of the splash screen", app.openList)
        close("splash screen", &app.splash)
        await act("She tries again") { await seen(.loading) { app.list?.refresh() } }
        await act("The server answers") { await answer(.success(.today)) }
    }

    private func download() async {
        act("She downloads “Greetings”") { app.list?.download(.audioAndText, of: 1) }
        await act("A moment later", piece)
        act("She opens the downloads", app.openDownloads)
        act("She plays “At the market”") { app.openPlayer(2) }
        act("She downloads that too, in the player") { app.player?.download() }
        print("  (\(app.downloads.observerCount) observers of downloads)")
        await act("A moment later", piece)
    }

    private func loseConnection() async {
        act("The connection is lost") { app.connectivity.change(isOnline: false) }
        await act("A moment later: nothing comes", piece)
        await act("She wants to see newer lessons") { await seen(.loading) { app.list?.refresh() } }
        await act("The request fails") { await answer(.failure(.noConnection)) }
    }

    private func regainConnection() async {
        await act("The connection is back, and nobody touches anything") {
            await seen(.loading) { app.connectivity.change(isOnline: true) }
        }
        await act("The server answers") { await answer(.success(.tonight)) }
        await act("A moment later", piece)
        await act("A moment later", piece)
        await act("A moment later", piece)
    }

    private func finish() async {
        print("\n> She closes the player and the downloads")
        close("player", &app.player)
        close("downloads screen", &app.downloadsScreen)
        print("  (\(app.downloads.observerCount) observers of downloads)")
        await act("A moment later", piece)
        act("She plays “At the market” again") { app.openPlayer(2) }
        act("She removes “Greetings”") { app.list?.remove(1) }
        // The copy is what the next start of the program shows first.
        await app.catalogue.flush()
        print("\nWhile the app is there\n  \(center.leakReport().count) observations")
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

    /// Drops a screen, and looks whether it has gone.
    private func close<Screen: AnyObject>(_ name: String, _ screen: inout Screen?) {
        weak let closed = screen
        screen = nil
        print("  (the \(name) is \(closed == nil ? "gone" : "still there"))")
    }

    private func answer(_ answer: LessonServer.Answer) async {
        let phase: LoadPhase = if case .success = answer { .loaded } else { .error }
        await seen(phase) { await server.answer(answer) }
    }

    /// Does something, and returns when everybody has seen what it makes of the lessons.
    ///
    /// Answers come on another thread. While it tells of one it tells of later changes as well, and
    /// whoever makes those does not wait for it: a person sees no difference, a script would.
    private func seen(_ phase: LoadPhase, _ action: () async -> Void) async {
        let (phases, continuation) = AsyncStream.makeStream(of: LoadPhase.self)
        // Observers are told in the order in which they began: after this one there is nobody.
        let token = app.catalogue.lessons.observe(on: .main) { continuation.yield($0.phase) }
        await action()
        for await seen in phases where seen == phase { break }
        withExtendedLifetime(token) {}
    }

    /// Lets the network bring a piece of a download, and returns when everybody has seen it.
    private func piece() async {
        await app.downloads.takePiece()
        app.downloads.tellWhatWaits()
    }
}
