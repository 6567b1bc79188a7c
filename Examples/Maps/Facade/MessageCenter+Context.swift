// SPDX-License-Identifier: Apache-2.0
import Tidings

extension MessageCenter {
    /// Observes the current user and map on the main actor, for the lifetime of the owner.
    ///
    /// Only the given handlers are registered.
    func observeContext<Owner: AnyObject & Sendable>(
        owner: Owner,
        login: (@MainActor @Sendable (Owner, User) -> Void)? = nil,
        logout: (@MainActor @Sendable (Owner, User) -> Void)? = nil,
        newBasemap: (@MainActor @Sendable (Owner, Basemap) -> Void)? = nil,
        newWebMap: (@MainActor @Sendable (Owner, WebMap) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        if let login {
            messages(.loggedIn).observe(owner: owner, on: .main, fileID: fileID, line: line) {
                login($0, $1.user)
            }
        }
        if let logout {
            messages(.loggedOut).observe(owner: owner, on: .main, fileID: fileID, line: line) {
                logout($0, $1.user)
            }
        }
        if let newBasemap {
            messages(.newBasemap).observe(owner: owner, on: .main, fileID: fileID, line: line) {
                newBasemap($0, $1.basemap)
            }
        }
        if let newWebMap {
            messages(.newWebMap).observe(owner: owner, on: .main, fileID: fileID, line: line) {
                newWebMap($0, $1.webMap)
            }
        }
    }

    func postLogin(_ user: User, fileID: StaticString = #fileID, line: UInt = #line) {
        post(LoggedIn(user: user), fileID: fileID, line: line)
    }

    func postLogout(_ user: User, fileID: StaticString = #fileID, line: UInt = #line) {
        post(LoggedOut(user: user), fileID: fileID, line: line)
    }

    func postNewBasemap(_ basemap: Basemap, fileID: StaticString = #fileID, line: UInt = #line) {
        post(NewBasemap(basemap: basemap), fileID: fileID, line: line)
    }

    func postNewWebMap(_ webMap: WebMap, fileID: StaticString = #fileID, line: UInt = #line) {
        post(NewWebMap(webMap: webMap), fileID: fileID, line: line)
    }
}
