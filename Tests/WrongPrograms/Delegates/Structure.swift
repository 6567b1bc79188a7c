// SPDX-License-Identifier: Apache-2.0
// expect: non-class type 'Screen' cannot conform to class protocol 'DownloadObserver'
import Tidings

protocol DownloadObserver: AnyObject, Sendable { func completed() }

struct Screen: DownloadObserver { func completed() {} }
